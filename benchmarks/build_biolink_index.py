"""Write ``fedrag/data/biolink.json``: the part of the Biolink Model that fedrag asks about.

Reads the YAML inside the ``biolink-model`` wheel (MIT; extra ``test``), so no network is needed,
and writes the same bytes every time::

    python benchmarks/build_biolink_index.py            # rewrite the index
    python benchmarks/build_biolink_index.py --check    # exit 1 when it is out of date

The index holds, without the ``biolink:`` prefix: ``categories`` (name → parents, the ``is_a`` one
first, mixins after it) and which are ``mixins``, ``predicates`` (name → parents), ``inverse`` (both
directions, also where the model states one only), ``canonical`` (the predicate of each pair that
the other is rewritten to), ``symmetric``, ``qualifiers`` (type → enumerations of its values),
``enums`` (value → broader value), ``prefixes`` in their canonical casing, other ``spellings``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

TARGET = Path(__file__).resolve().parent.parent / "fedrag" / "data" / "biolink.json"

# Prefixes of Translator's answers that the model does not list (from recorded Node Normalizer and
# meta knowledge graph answers), and the one it lists in another casing than they use.
EXTRA_PREFIXES = ("ATC", "BIOCARTA", "OMOP", "TTD.DRUG", "TTD.TARGET", "infores", "orphanet")
RECASED_PREFIXES = {"CLINICALTRIALS": "clinicaltrials"}
# Spellings that differ from Biolink's by more than casing, lower case and without "_" and "-": of
# DrugMechDB, BioThings, identifiers.org, OBO and older Translator services.
SPELLINGS = {
    "chembl": "CHEMBL.COMPOUND",
    "chemblcompound": "CHEMBL.COMPOUND",
    "chemblid": "CHEMBL.COMPOUND",
    "chembltarget": "CHEMBL.TARGET",
    "cid": "PUBCHEM.COMPOUND",
    "clingen": "CAID",
    "ctgov": "clinicaltrials",
    "db": "DRUGBANK",
    "drugbankid": "DRUGBANK",
    "entrez": "NCBIGene",
    "entrezgene": "NCBIGene",
    "geneid": "NCBIGene",
    "ensemblgene": "ENSEMBL",
    "hpo": "HP",
    "kegg.pathways": "KEGG.PATHWAY",
    "keggcompound": "KEGG.COMPOUND",
    "keggdrug": "KEGG.DRUG",
    "keggpathway": "KEGG.PATHWAY",
    "mim": "OMIM",
    "ncbi": "NCBIGene",
    "ncbitaxonomy": "NCBITaxon",
    "nct": "clinicaltrials",
    "ncithesaurus": "NCIT",
    "omimps": "OMIM.PS",
    "orpha": "orphanet",
    "pharmgkb": "PHARMGKB.DRUG",
    "pubchem": "PUBCHEM.COMPOUND",
    "pubchem.cid": "PUBCHEM.COMPOUND",
    "pubchemcid": "PUBCHEM.COMPOUND",
    "pubchemcompound": "PUBCHEM.COMPOUND",
    "pubmed": "PMID",
    "reactome": "REACT",
    "rxnorm": "RXCUI",
    "sct": "SNOMEDCT",
    "sid": "PUBCHEM.SUBSTANCE",
    "snomed": "SNOMEDCT",
    "taxid": "NCBITaxon",
    "taxon": "NCBITaxon",
    "taxonomy": "NCBITaxon",
    "tigr": "TIGRFAM",
    "umlscui": "UMLS",
    "cui": "UMLS",
    "uniprot": "UniProtKB",
    "uniprotid": "UniProtKB",
    "uniprot.protein": "UniProtKB",
    "wikipathway": "WIKIPATHWAYS",
    "wp": "WIKIPATHWAYS",
}
Model = Mapping[str, Any]


def read_model() -> dict[str, Any]:
    """The Biolink Model as the installed wheel states it."""
    import biolink_model

    folder = Path(next(iter(biolink_model.__path__)))
    text = (folder / "schema" / "biolink_model.yaml").read_text(encoding="utf-8")
    model: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return model


def camel(name: str) -> str:
    """``"gene or gene product"`` → ``"GeneOrGeneProduct"`` (LinkML's rule: casing is kept)."""
    return "".join(word[0].upper() + word[1:] for word in name.split(" ") if word)


def snake(name: str) -> str:
    """``"treated by"`` → ``"treated_by"``."""
    return name.strip().replace(" ", "_")


def parents(element: Model) -> list[str]:
    """The element's ``is_a`` parent, then its mixins, each once."""
    named = [element.get("is_a"), *(element.get("mixins") or [])]
    return list(dict.fromkeys(name for name in named if name))


def closure(name: str, elements: Mapping[str, Model]) -> set[str]:
    """The element and everything above it."""
    seen: set[str] = set()
    queue = [name]
    while queue:
        current = queue.pop()
        if current not in seen:
            seen.add(current)
            queue.extend(parents(elements.get(current) or {}))
    return seen


def category_names(classes: Mapping[str, Model]) -> list[str]:
    """Descendants of ``named thing`` and all that is above them, mixins included."""
    wanted: set[str] = set()
    for name in classes:
        above = closure(name, classes)
        if "named thing" in above:
            wanted |= above
    return sorted(wanted)


def predicate_names(slots: Mapping[str, Model]) -> list[str]:
    """Everything below ``related to``."""
    return sorted(name for name in slots if "related to" in closure(name, slots))


def inverses(slots: Mapping[str, Model], names: list[str]) -> dict[str, str]:
    """Inverse of each predicate, in both directions: the model states it on one side of a pair."""
    found: dict[str, str] = {}
    for name in names:
        if other := slots[name].get("inverse"):
            found[name] = other
            found.setdefault(other, name)
    return found


def canonical(slots: Mapping[str, Model], pairs: Mapping[str, str]) -> set[str]:
    """One predicate of each pair of inverses: the annotated one, else the one without ``inverse``.

    Of the few pairs where that does not decide, the alphabetically first.
    """

    def order(name: str) -> tuple[bool, bool, str]:
        annotated = bool((slots[name].get("annotations") or {}).get("canonical_predicate"))
        return (not annotated, "inverse" in slots[name], name)

    return {min(name, other, key=order) for name, other in pairs.items()}


def qualifier_enums(model: Model) -> dict[str, list[str]]:
    """Qualifier type → the enumerations of its values, from its slot and its uses in classes."""
    slots, enums = model["slots"], model["enums"]
    names = [name for name in slots if "qualifier" in closure(name, slots) and name != "qualifier"]
    found: dict[str, set[str]] = {name: set() for name in names}
    for name in names:
        found[name].add(str(slots[name].get("range")))
    for element in model["classes"].values():
        for name, usage in (element.get("slot_usage") or {}).items():
            if name in found and usage:
                found[name].add(str(usage.get("range")))
    return {snake(name): sorted(found[name] & set(enums)) for name in sorted(names)}


def enum_values(enum: Model) -> dict[str, str | None]:
    """Permissible value → the broader value it is a kind of, None at the top."""
    values = enum["permissible_values"]
    return {name: (values[name] or {}).get("is_a") for name in sorted(values)}


def prefix_names(model: Model) -> list[str]:
    """Every prefix in its canonical casing; spellings that differ in case alone must not occur."""
    names = {*model["prefixes"], *EXTRA_PREFIXES}
    for element in (*model["classes"].values(), *model["slots"].values()):
        names.update((element or {}).get("id_prefixes") or [])
    names = {RECASED_PREFIXES.get(name, name) for name in names}
    if len({name.lower() for name in names}) != len(names):
        raise ValueError("two prefixes differ in case alone: choose one in EXTRA_PREFIXES")
    return sorted(names)


def build(model: Model) -> dict[str, Any]:
    """The whole index."""
    classes, slots = model["classes"], model["slots"]
    slots = {name: slot or {} for name, slot in slots.items()}
    categories, predicates = category_names(classes), predicate_names(slots)
    pairs = inverses(slots, predicates)
    qualifiers = qualifier_enums(model)
    used = sorted({name for names in qualifiers.values() for name in names})
    return {
        "version": model["version"],
        "categories": {camel(n): [camel(p) for p in parents(classes[n])] for n in categories},
        "mixins": [camel(n) for n in categories if classes[n].get("mixin")],
        "predicates": {snake(n): [snake(p) for p in parents(slots[n])] for n in predicates},
        "inverse": {snake(n): snake(pairs[n]) for n in sorted(pairs)},
        "canonical": sorted(snake(n) for n in canonical(slots, pairs)),
        "symmetric": [snake(n) for n in predicates if slots[n].get("symmetric")],
        "qualifiers": qualifiers,
        "enums": {name: enum_values(model["enums"][name]) for name in used},
        "prefixes": prefix_names(model),
        "spellings": SPELLINGS,
    }


def main(arguments: list[str] | None = None) -> int:
    """Write the index, or with ``--check`` tell whether it is what the model says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when outdated")
    options = parser.parse_args(arguments)
    text = json.dumps(build(read_model()), separators=(",", ":"), ensure_ascii=False) + "\n"
    if options.check:
        current = TARGET.read_text(encoding="utf-8") if TARGET.is_file() else ""
        sys.stdout.write("up to date\n" if current == text else f"{TARGET.name} is out of date\n")
        return 0 if current == text else 1
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{TARGET.name}: {len(text.encode())} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
