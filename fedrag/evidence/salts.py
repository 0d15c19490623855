"""The parent of a salt, ester salt or hydrate: imatinib of imatinib methanesulfonate."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["parent_name"]

_SALT_WORDS = """
    acetate acetonide adipate alginate anhydrous ascorbate aspartate benzathine benzoate besilate
    besylate bicarbonate bisulfate bitartrate borate bromide butyrate calcium camsylate carbonate
    chloride chlorohydrate cilexetil citrate cypionate decanoate dicalcium dihydrate dihydrochloride
    dihydrobromide dihydrogen dimaleate dimesylate diphosphate dipropionate dipotassium disodium
    disulfate ditosylate edetate edisylate embonate enanthate erbumine esylate estolate
    ethanesulfonate fumarate furoate gluceptate gluconate glucuronate glutamate glycolate
    hemifumarate hemihydrate hemisulfate heptahydrate hexahydrate hippurate hydrate
    hydrobromide hydrochloride hydrogen hyclate hydroxide iodide isethionate lactate lactobionate
    laurate lysinate lysine
    magnesium malate maleate malonate medoxomil meglumine mesilate mesylate methanesulfonate
    methylsulfate monohydrate monohydrochloride monosodium mucate napadisylate napsylate nitrate
    olamine oleate orotate oxalate palmitate pamoate pantothenate pentahydrate phosphate
    phenylpropionate pivalate pivoxil polistirex potassium proxetil propionate saccharate
    salicylate sesquihydrate sodium stearate succinate sulfate sulphate tannate tartrate
    teoclate tetrahydrate tosilate tosylate trifluoroacetate trihydrate trihydrochloride
    trisodium tromethamine undecanoate valerate xinafoate zinc
"""
# An inorganic salt has no parent drug: what is left of its name would be a bare ion.
_ION_WORDS = """
    aluminium aluminum ammonium antimony arsenic barium bismuth caesium calcium cesium chromium
    cobalt copper cupric ferric ferrous gallium gold hydrogen iron lead lithium magnesium manganese
    mercury nickel potassium radium rubidium samarium silver sodium strontium thallium tin
    titanium zinc zirconium dihydroxyaluminum acid sulfuric nitric
"""
_SALTS, _IONS = frozenset(_SALT_WORDS.split()), frozenset(_ION_WORDS.split())
_OBSOLETE = re.compile(r"^\[obsolete\]\s*", re.IGNORECASE)
_SHORTEST = 4


def parent_name(name: str, labels: Iterable[str | None] = ()) -> str | None:
    """The name of the substance that ``name`` is a salt of, None where it is none.

    :param labels: names of equivalent identifiers; one that equals the parent lends its spelling.

    >>> parent_name("imatinib methanesulfonate", ["IMATINIB", "imatinib"])
    'imatinib'
    >>> parent_name("RANITIDINE HYDROCHLORIDE"), parent_name("Potassium bicarbonate")
    ('RANITIDINE', None)
    >>> parent_name("morphine sulfate pentahydrate"), parent_name("imatinib")
    ('morphine', None)
    """
    parts = _OBSOLETE.sub("", name.strip()).split()
    kept = list(parts)
    while len(kept) > 1 and kept[-1].casefold().strip("(),") in _SALTS:
        kept.pop()
    base = " ".join(kept)
    if len(kept) == len(parts) or len(base) < _SHORTEST:
        return None
    if any(word.casefold() in _IONS for word in kept) or base.casefold() in _SALTS:
        return None
    if kept[-1].casefold().endswith(("yl", "ylene")):  # an ester: methyl salicylate
        return None
    return _best_spelling(base, labels)


def _best_spelling(base: str, labels: Iterable[str | None]) -> str:
    """The label that equals the parent's name, lower case preferred to capitals."""
    same = sorted({x.strip() for x in labels if x and x.strip().casefold() == base.casefold()})
    return min(
        same, key=lambda label: (label.isupper(), label != label.lower(), label), default=base
    )
