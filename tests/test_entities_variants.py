"""Variants in questions: their forms, and what CIViC, MyVariant.info and the two entity services
make of them. The answers are in the recorded shapes (MyVariant.info) and the schema's (CIViC)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from entities_support import NAMERES, NODENORM, Lexicon, curies, reply, unresolved

from fedrag.entities import Normalizer, Resolution, VariantServices, resolve
from fedrag.entities.variant_change import protein_change
from fedrag.entities.variant_civic import _OF_GENE, _ONE, _VARIANTS, _search_text
from fedrag.entities.variant_myvariant import by_protein_change
from fedrag.entities.variants import find_variants
from fedrag.errors import OfflineError, UnavailableError
from fedrag.net import Endpoint, Reply

CIVIC = Endpoint("civic", "https://civicdb.example.org/api")
MYVARIANT = Endpoint("myvariant", "https://myvariant.example.org/v1")
_SEARCHES = (("name", "String"), ("alleleRegistryId", "String"), ("variantId", "Int"))
BOTH = VariantServices(CIVIC, MYVARIANT)
ALLELE = "CAID:CA123643"

_GENE = {"BRAF": 673, "MET": 4233, "TP53": 7157, "JAK2": 3717}


def _variant(gene: str, name: str, **more: Any) -> dict[str, Any]:
    feature = {"name": gene, "featureInstance": {"entrezId": _GENE.get(gene)}}
    return {"id": 1, "name": name, "variantAliases": [], "feature": feature} | more


def _profile(number: int, *variants: dict[str, Any], name: str = "", **more: Any) -> dict[str, Any]:
    made = {
        "id": number,
        "name": name or f"{variants[0]['feature']['name']} {variants[0]['name']}",
        "isComplex": len(variants) > 1,
        "isMultiVariant": len(variants) > 1,
        "deprecated": False,
        "molecularProfileAliases": [],
        "variants": list(variants),
    }
    return made | more


V600E = _variant(
    "BRAF",
    "V600E",
    variantAliases=["RS113488022"],
    alleleRegistryId="CA123643",
    hgvsDescriptions=["NM_004333.4:c.1799T>A", "NP_004324.2:p.Val600Glu"],
)
PROFILES = [
    _profile(
        4241, V600E, _variant("BRAF", "Amplification"), name="BRAF V600E AND BRAF Amplification"
    ),
    _profile(12, V600E),
    _profile(17, _variant("BRAF", "V600")),
    _profile(99, _variant("MET", "V600E")),
    _profile(324, _variant("MET", "Exon 14 Skipping Mutation")),
    _profile(5, _variant("TP53", "R213*"), deprecated=True),
    _profile(270, _variant("MET", "Amplification")),
    _profile(18, _variant("BRAF", "Amplification")),
]
COUNTS = {12: 120, 99: 1}
HIT = {
    "_id": "chr7:g.140453136A>T",
    "clingen": {"caid": "CA123643"},
    "dbsnp": {"rsid": "rs113488022"},
    "dbnsfp": {
        "genename": ["BRAF", "BRAF"],
        "hgvsp": ["p.Val640Glu", "p.Val600Glu", "p.V600E"],
    },
}
NODE = {
    "id": {"identifier": ALLELE, "label": "NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)"},
    "equivalent_identifiers": [
        {"identifier": ALLELE},
        {"identifier": "CLINVAR:13961"},
        {"identifier": "DBSNP:rs113488022"},
    ],
    "type": ["biolink:SequenceVariant", "biolink:BiologicalEntity", "biolink:NamedThing"],
}


def _page(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    return {"nodes": nodes, "pageInfo": {"hasNextPage": False, "endCursor": None}}


@dataclass
class Bench(Lexicon):
    """The closed lexicon with CIViC and MyVariant.info beside it."""

    asked: list[tuple[str, Any]] = field(default_factory=list)
    misshapen: dict[str, Any] | None = None  # what CIViC answers to anything

    def within(self, _seconds: float) -> Bench:
        return self

    def remaining(self) -> float:
        return 60.0

    async def send(
        self, endpoint: Endpoint, method: str, path: str, *, json: Any = None, **more: Any
    ) -> Reply:
        if endpoint.service not in ("civic", "myvariant"):
            return await super().send(endpoint, method, path, json=json, **more)
        told = json["variables"] if endpoint.service == "civic" else dict(more["query"])["q"]
        self.asked.append((endpoint.service, told))
        if problem := self.broken.get(endpoint.service):
            raise problem
        if endpoint.service == "civic":
            assert path == "/graphql"
            return reply(self._civic(json["query"], told))
        assert (method, path) == ("GET", "/query")
        return reply({"took": 5, "total": 1, "hits": self._hits(told)})

    def _civic(self, query: str, told: dict[str, Any]) -> dict[str, Any]:
        if told.get("name") == "JAK2 V617F":
            return {"data": None, "errors": [{"message": "Timeout on validation"}]}
        if self.misshapen is not None:
            return {"data": self.misshapen}
        if "query GeneVariants" in query:
            of = [v for v in self._variants("") if v["feature"]["name"] in told["symbols"]]
            return {"data": {"genes": {"nodes": [{"id": 5, "name": "X", "variants": _page(of)}]}}}
        if "molecularProfile(id" in query:
            found = [p for p in PROFILES if p["id"] == told["id"]]
            return {"data": {"molecularProfile": found[0] if found else None}}
        if "query Variants" in query:
            return {"data": {"variants": {"nodes": self._variants(told["name"])}}}
        nodes = [p for p in PROFILES if self._fits(p, told)]
        return {"data": {"molecularProfiles": _page(nodes)}}

    @staticmethod
    def _fits(profile: dict[str, Any], told: dict[str, Any]) -> bool:
        variants = profile["variants"]
        if allele := told.get("alleleRegistryId"):
            return any(v.get("alleleRegistryId") == allele for v in variants)
        if number := told.get("variantId"):
            return any(v["id"] == number for v in variants)
        names = [profile["name"], *(a for v in variants for a in v["variantAliases"])]
        return any(n.casefold().startswith(told["name"].casefold()) for n in names)

    @staticmethod
    def _variants(name: str) -> list[dict[str, Any]]:
        singles = [p for p in PROFILES if len(p["variants"]) == 1]
        return [
            {
                **p["variants"][0],
                "singleVariantMolecularProfile": {
                    "id": p["id"],
                    "name": p["name"],
                    "evidenceCountsByStatus": {"acceptedCount": COUNTS.get(p["id"], 0)},
                },
            }
            for p in singles
            if any(
                one.startswith(name)
                for one in (p["variants"][0]["name"], *p["variants"][0]["variantAliases"])
            )
        ]

    @staticmethod
    def _hits(query: str) -> list[dict[str, Any]]:
        wanted = ("BRAF AND", "rs113488022", "140453136A>T", "c.1799T>A", "CA123643")
        return [HIT] if any(piece in query for piece in wanted) else []

    def _node(self, curie: str, conflate: bool) -> dict[str, Any] | None:
        names = {i["identifier"] for i in NODE["equivalent_identifiers"]}  # type: ignore[index]
        return NODE if curie in names else super()._node(curie, conflate)


async def ask(question: str, bench: Bench | None = None, **options: Any) -> Resolution:
    caller: Any = bench or Bench()
    options.setdefault("variants", BOTH)
    normalizer = Normalizer(caller, NODENORM)
    return await resolve(question, caller, resolver=NAMERES, normalizer=normalizer, **options)


# --- forms ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "genes", "change"),
    [
        ("BRAF V600E", "BRAF", "V600E"),
        ("BRAF p.Val600Glu", "BRAF", "V600E"),
        ("BRAF p.(Val600Glu)", "BRAF", "V600E"),
        ("BRAF:p.V600E", "BRAF", "V600E"),
        ("HGVS:BRAF:p.V600E", "BRAF", "V600E"),
        ("BRAF-V600E", "BRAF", "V600E"),
        ("BRAF(V600E)", "BRAF", "V600E"),
        ("BRAFV600E", "BRAF", "V600E"),
        ("braf v600e", "braf", "V600E"),
        ("V600E in BRAF", "BRAF", "V600E"),
        ("V600E mutation in the BRAF gene", "BRAF", "V600E"),
        ("BRAF V600E-mutant", "BRAF", "V600E"),
        ("KRAS G12C mutation", "KRAS", "G12C"),
        ("KRAS G12", "KRAS", "G12"),
        ("TP53 R213X", "TP53", "R213*"),
        ("CFTR ΔF508", "CFTR", "F508del"),
        ("EGFR p.Glu746_Ala750del", "EGFR", "E746_A750del"),
        ("EGFR A767_V769dup", "EGFR", "A767_V769dup"),
        ("KIT K558delinsNP", "KIT", "K558delinsNP"),
        ("NPM1 W288fs", "NPM1", "W288fs"),
        ("EGFR exon 19 deletion", "EGFR", "Exon 19 Deletion"),
        ("exon 14 skipping in MET", "MET", "Exon 14 Skipping Mutation"),
        ("ERBB2 amplification", "ERBB2", "Amplification"),
        ("HER2-amplified", "HER2", "Amplification"),
        ("FLT3-ITD", "FLT3", "ITD"),
        ("PTEN loss", "PTEN", "Loss"),
        ("EML4-ALK fusion", "EML4 ALK", "Fusion"),
        ("EML4::ALK", "EML4 ALK", "Fusion"),
        ("ALK rearrangement", "ALK", "Fusion"),
        ("BRAF c.1799T>A", "BRAF", "c.1799T>A"),
        ("v600e braf", "braf", "V600E"),
        ("v600e mutation in braf", "braf", "V600E"),
        ("egfr exon 19 deletion", "egfr", "Exon 19 Deletion"),
        ("EGFR ex19del", "EGFR", "Exon 19 Deletion"),
        ("EGFR del19", "EGFR", "Exon 19 Deletion"),
        ("EGFR exon 20 insertions", "EGFR", "Exon 20 Insertion"),
        ("EGFR deletion in exon 19", "EGFR", "Exon 19 Deletion"),
    ],
)
def test_a_variant_is_recognised_however_it_is_written(text: str, genes: str, change: str) -> None:
    question = f"What is known about {text}?"
    (found,) = find_variants(question)
    assert (found.text, question[found.start : found.end]) == (text, text)
    assert ([g[0] for g in found.genes], found.change) == (genes.split(), change)
    assert found.wrong == ""


@pytest.mark.parametrize(
    ("text", "curie"),
    [
        ("rs113488022", "DBSNP:rs113488022"),
        ("dbSNP:rs113488022", "DBSNP:rs113488022"),
        ("NM_004333.4:c.1799T>A", "HGVS:NM_004333.4:c.1799T>A"),
        ("NM_004333.4(BRAF):c.1799T>A (p.Val600Glu)", "HGVS:NM_004333.4:c.1799T>A"),
        ("chr7:g.140453136A>T", "HGVS:chr7:g.140453136A>T"),
        ("HGVS:chr7:g.140453136A>T", "HGVS:chr7:g.140453136A>T"),
        ("NP_004324.2:p.Val600Glu", "HGVS:NP_004324.2:p.Val600Glu"),
        ("NC_000007.13:g.140453136A>T", "HGVS:NC_000007.13:g.140453136A>T"),
        ("CIViC MP:12", "civic.mpid:12"),
        ("civic.mpid:12", "civic.mpid:12"),
        ("CIViC molecular profile 12", "civic.mpid:12"),
        ("civic.vid:12", "civic.vid:12"),
        ("CAID:CA123643", "CAID:CA123643"),
        ("CA123643", "CAID:CA123643"),
    ],
)
def test_an_identifier_of_a_variant_is_recognised_and_spelt_one_way(text: str, curie: str) -> None:
    (found,) = find_variants(f"Which drugs work in {text}?")
    assert (found.text, found.curie, found.wrong) == (text, curie, "")


@pytest.mark.parametrize(
    "question",
    [
        "In which pathways does UniProtKB:P04637 participate?",
        "Does DB:DB00999 treat NCBIGene:673?",
        "Which genes are linked to hypertension?",
        "What causes vitamin B12 deficiency or hearing loss?",
        "Which drugs work against H1N1, HLA A24 or UGT1A1*28?",
        "Is UniProt P15056 a kinase, and UMLS:C0011847 a disease?",
        "Which tumours raise CA125, CA19-9 or CA153?",
        "Which drugs treat v600e and lung cancer?",
        "Does SLC12A3 act with CYP2C19, IL17A and COX-2?",
    ],
)
def test_what_only_looks_a_little_like_a_variant_is_none(question: str) -> None:
    assert find_variants(question) == ()


def test_changes_joined_to_one_another_share_the_gene() -> None:
    found = find_variants("Does EGFR L858R and T790M matter, or EGFR C797S?")
    assert [(s.text, [g[0] for g in s.genes]) for s in found] == [
        ("EGFR L858R", ["EGFR"]),
        ("T790M", ["EGFR"]),
        ("EGFR C797S", ["EGFR"]),
    ]


def test_a_combination_in_capitals_is_one_variant() -> None:
    (found,) = find_variants("therapies for BCR::ABL1 Fusion AND ABL1 T315I")
    assert (found.kind, found.change, len(found.parts)) == ("all", "AND", 2)


def test_codes_of_amino_acids_are_read_in_one_and_three_letters() -> None:
    assert [protein_change(t) for t in ("p.Val600Glu", "val600glu", "p.v600e", "V600E")] == [
        "V600E"
    ] * 4
    assert [protein_change(t) for t in ("J600E", "p.Vat600Glu", "600", "Val", "")] == [None] * 5


def test_every_single_variant_of_civics_table_is_recognised(corpora: Path) -> None:
    """Of the changes CIViC's own curators wrote, with the gene before them."""
    table = corpora / "recorded" / "civic" / "nightly_ClinicalEvidence_v2_full.tsv"
    lines = table.read_text(encoding="utf-8").splitlines()
    names = {line.split("\t", 1)[0] for line in lines[1:]}
    plain = {n for n in names if re.fullmatch(r"[A-Z0-9]+ [ACDEFGHIKLMNPQRSTVWY]\d+[A-Z*]", n)}
    assert len(plain) > 500
    missed = {n for n in plain if [s.text for s in find_variants(n)] != [n]}
    assert missed == set()


@pytest.mark.parametrize(
    "text", [_search_text(*pair) for pair in _SEARCHES] + [_ONE, _VARIANTS, _OF_GENE]
)
def test_what_civic_is_asked_fits_its_published_schema(text: str, corpora: Path) -> None:
    graphql = pytest.importorskip("graphql")
    source = corpora / "recorded" / "civic" / "schema_introspection.json"
    told = json.loads(source.read_text(encoding="utf-8"))
    schema = graphql.build_client_schema(told.get("data", told))
    assert graphql.validate(schema, graphql.parse(text)) == []


# --- resolution ----------------------------------------------------------------------------------


async def test_gene_and_change_become_one_entity_with_every_services_identifier() -> None:
    bench = Bench()
    found = await ask("Does BRAF V600E respond to imatinib?", bench)
    variant, drug = found.entities
    assert (variant.mention, variant.name, variant.curie) == ("BRAF V600E", "BRAF V600E", ALLELE)
    assert variant.categories[0] == "biolink:SequenceVariant"
    assert [i.curie for i in variant.identifiers] == [
        ALLELE,
        "DBSNP:rs113488022",
        "HGVS:chr7:g.140453136A>T",
        "HGVS:BRAF:p.V600E",
        "civic.mpid:12",
        "CLINVAR:13961",
    ]
    assert (variant.how, variant.ambiguous, drug.name) == ("exact", False, "Imatinib")
    assert found.genes[ALLELE].curie == "NCBIGene:673"
    assert (found.genes[ALLELE].start, found.genes[ALLELE].end) == (5, 15)
    assert found.unresolved == ()
    assert bench.asked == [
        ("civic", {"name": "BRAF V600E"}),
        ("myvariant", 'dbnsfp.genename:BRAF AND dbnsfp.hgvsp:"p.V600E"'),
    ]


async def test_a_combination_profile_is_told_and_never_taken_for_its_part() -> None:
    found = await ask("What is known about BRAF V600E?")
    assert "civic.mpid:4241" not in [i.curie for i in found.entities[0].identifiers]
    assert (
        "CIViC also has 1 combinations with BRAF V600E, which were not asked: BRAF V600E AND BRAF "
        "Amplification"
    ) in found.notes
    whole = await ask("What is known about BRAF V600E AND BRAF Amplification?")
    assert curies(whole) == ["civic.mpid:4241"]


async def test_a_question_without_a_variant_asks_neither_service_and_no_further_name() -> None:
    bench, plain = Bench(), Lexicon()
    question = "Which drugs for hypertension act on BRAF?"
    await ask(question, bench)
    caller: Any = plain
    await resolve(question, caller, resolver=NAMERES, normalizer=Normalizer(caller, NODENORM))
    assert bench.asked == []
    assert bench.calls == plain.calls


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("rs113488022", "BRAF V600E"),
        ("CIViC MP:12", "BRAF V600E"),
        ("civic.vid:1", "BRAF V600E"),
        ("CAID:CA123643", "BRAF V600E"),
        ("chr7:g.140453136A>T", "BRAF V600E"),
        ("NM_004333.4:c.1799T>A", "BRAF V600E"),
        ("B-Raf proto-oncogene V600E", "BRAF V600E"),
        ("the V600E mutation", "BRAF V600E"),
    ],
)
async def test_each_way_to_write_it_leads_to_the_profile_and_its_gene(
    written: str, name: str
) -> None:
    found = await ask(f"What is known about {written}?")
    variant = next(e for e in found.entities if "biolink:SequenceVariant" in e.categories)
    assert variant.name == name
    assert "civic.mpid:12" in [i.curie for i in variant.identifiers]
    assert found.genes[variant.curie].curie == "NCBIGene:673"


async def test_a_change_without_its_gene_is_ambiguous_where_several_genes_have_it() -> None:
    found = await ask("Which drugs work in V600E mutant tumours?")
    (variant,) = found.entities
    assert variant.ambiguous
    assert [(c.name, c.curie) for c in variant.candidates] == [("MET V600E", "civic.mpid:99")]
    assert any(
        n.startswith('"V600E" names no gene; it was read as BRAF V600E') for n in found.notes
    )


async def test_the_only_gene_of_the_question_is_that_of_a_bare_change() -> None:
    found = await ask("Which drugs target BRAF in tumours with the V600E mutation?")
    assert "BRAF V600E" in [e.name for e in found.entities]
    assert not any(e.ambiguous for e in found.entities)


async def test_a_well_formed_variant_that_no_service_knows_stays_usable_with_a_note() -> None:
    found = await ask("What is known about BRAF V601Q?")
    (variant,) = found.entities
    assert (variant.curie, variant.name) == ("HGVS:BRAF:p.V601Q", "BRAF V601Q")
    assert (
        "BRAF V601Q was found by no service that names variants (CIViC, MyVariant.info)"
        in found.notes
    )
    assert found.genes["HGVS:BRAF:p.V601Q"].name == "BRAF"


async def test_without_the_services_gene_and_change_are_enough() -> None:
    bench = Bench()
    found = await ask("What is known about BRAF V600E?", bench, variants=VariantServices())
    assert curies(found) == ["HGVS:BRAF:p.V600E"]
    assert bench.asked == []
    assert "BRAF V600E was found by no service that names variants (none answered)" in found.notes


@pytest.mark.parametrize("service", ["civic", "myvariant"])
async def test_a_dead_service_costs_a_note_and_what_it_alone_knows(service: str) -> None:
    down = UnavailableError(f"{service} answered 503", service=service)
    found = await ask("What is known about BRAF V600E?", Bench(broken={service: down}))
    (variant,) = found.entities
    assert variant.name == "BRAF V600E"
    assert ("civic.mpid:12" in [i.curie for i in variant.identifiers]) is (service != "civic")
    assert any(
        f"could not be asked what variants are called: {service} answered 503" in n
        for n in found.notes
    )


async def test_an_error_told_with_http_200_is_a_failure_and_is_not_kept() -> None:
    bench = Bench()
    found = await ask("What is known about JAK2 V617F?", bench)
    assert curies(found) == ["HGVS:JAK2:p.V617F"]
    assert bench.discarded == ["civic"]
    assert any("civic answered with an error: Timeout on validation" in n for n in found.notes)


async def test_a_replay_that_lacks_the_call_is_told_as_one() -> None:
    missing: Any = {"civic": OfflineError("not in the cassette")}
    with pytest.raises(OfflineError):
        await ask("What is known about BRAF V600E?", Bench(broken=missing))


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("BRAF p.Vat600Glu", "is no protein change like p.V600E or p.Val600Glu"),
        ("NM_004333.4:c.1799", "is no change as HGVS writes it"),
        ("civic.mpid:abc", "CIViC's identifiers are numbers"),
        ("civic.mpid:987654", "CIViC has no single variant civic.mpid:987654"),
        ("QQQQ p.V600E", 'no human gene called "QQQQ" was found'),
    ],
)
async def test_what_is_written_wrong_is_unresolved_and_says_why(written: str, why: str) -> None:
    found = await ask(f"What is known about {written}?")
    assert found.entities == ()
    assert written in list(unresolved(found))
    assert any(why in missing.reason for missing in found.unresolved)


async def test_a_bare_change_that_nobody_knows_asks_for_its_gene() -> None:
    found = await ask("What does the p.V601Q mutation do?")
    assert next((u.mention, u.reason) for u in found.unresolved) == (
        "p.V601Q mutation",
        'it is a change without its gene; write both, as in "BRAF V600E"',
    )


async def test_an_alteration_that_civic_does_not_have_is_read_as_its_gene() -> None:
    found = await ask("Which drugs help in PTEN loss?")
    assert curies(found) == ["NCBIGene:5728"]
    assert (
        '"PTEN loss" has no identifier as a variant (CIViC, MyVariant.info); read as PTEN, at the '
        "level of the gene"
    ) in found.notes
    known = await ask("Which drugs help in MET amplification or MET exon 14 skipping?")
    assert curies(known) == ["civic.mpid:270", "civic.mpid:324"]


async def test_a_pinned_variant_is_looked_up_like_a_written_one() -> None:
    found = await ask("Which drugs work in my tumour?", pins={"my tumour": "civic.mpid:12"})
    (variant,) = found.entities
    assert (variant.mention, variant.name, variant.how) == ("my tumour", "BRAF V600E", "pinned")
    pinned = await ask("Does imatinib help?", pins={"it": "HGVS:BRAF:p.V600E"})
    assert [e.name for e in pinned.entities] == ["Imatinib", "BRAF V600E"]


async def test_a_pin_on_a_written_variant_wins() -> None:
    bench = Bench()
    found = await ask("What is known about BRAF V600E?", bench, pins={"BRAF V600E": "NCBIGene:673"})
    assert curies(found) == ["NCBIGene:673"]
    assert bench.asked == []


@pytest.mark.parametrize(
    ("file", "gene", "change", "identifiers"),
    [
        ("search_braf_v600e_20260806", "BRAF", "V600E", ("HGVS:chr7:g.140453136A>T",)),
        ("search_myd88_l265p_20260806", "MYD88", "L265P", ("HGVS:chr3:g.38182641T>C",)),
        ("search_myd88_l265p_20260806", "MYD88", "V600E", ()),
    ],
)
async def test_a_recorded_answer_of_myvariant_is_read(
    file: str, gene: str, change: str, identifiers: tuple[str, ...], corpora: Path
) -> None:
    path = corpora / "recorded" / "biothings" / f"biomcp_myvariant__{file}.json"

    class Recorded:
        async def send(self, *_: Any, **__: Any) -> Reply:
            return reply(json.loads(path.read_text(encoding="utf-8")))

    caller: Any = Recorded()
    hits = await by_protein_change(caller, MYVARIANT, gene, change)
    assert tuple(i for hit in hits for i in hit.identifiers) == identifiers


# --- named together, described, misread ----------------------------------------------------------


@pytest.mark.parametrize(
    "written", ["BRAF V600E and BRAF amplification", "BRAF amplification and V600E"]
)
async def test_two_variants_named_together_are_the_combination_and_each_of_them(
    written: str,
) -> None:
    bench = Bench()
    found = await ask(f"Which drugs work with {written}?", bench)
    (whole,) = found.entities
    assert (whole.mention, whole.curie) == (written, "civic.mpid:4241")
    assert set(found.parts["civic.mpid:4241"]) == {ALLELE, "civic.mpid:18"}
    assert found.genes[whole.curie].curie == "NCBIGene:673"
    assert sum("was read as the combination" in note for note in found.notes) == 1
    assert not any("were not asked" in note for note in found.notes)
    assert len([told for service, told in bench.asked if service == "civic"]) == 2


async def test_variants_that_are_alternatives_or_far_apart_are_no_combination() -> None:
    for question in (
        "Which drugs work with BRAF V600E or BRAF amplification?",
        "Does imatinib in BRAF V600E work as well as in BRAF amplification?",
    ):
        found = await ask(question)
        assert "civic.mpid:4241" not in curies(found)
        assert found.parts == {}


@pytest.mark.parametrize(
    "written",
    [
        "NP_004324.2:p.Val600Glu",
        "NM_004333.6(BRAF):c.1799T>A",  # another version of the sequence
        "BRAF c.1799T>A",
        "rs113488022",
        "CA123643",
    ],
)
async def test_civic_alone_knows_a_variant_by_what_else_describes_it(written: str) -> None:
    found = await ask(f"What is known about {written}?", variants=VariantServices(CIVIC))
    (variant,) = found.entities
    assert (variant.name, found.naming_failures) == ("BRAF V600E", ())
    assert "civic.mpid:12" in [i.curie for i in variant.identifiers]


async def test_another_change_of_the_described_gene_is_not_taken() -> None:
    found = await ask("What is known about BRAF c.1798G>A?", variants=VariantServices(CIVIC))
    assert curies(found) == ["HGVS:BRAF:c.1798G>A"]


@pytest.mark.parametrize(
    "data",
    [{}, {"molecularProfile": "BRAF V600E"}, {"molecularProfile": {"id": "12", "name": "x"}}],
)
async def test_an_answer_of_another_shape_is_civics_failure_and_the_variant_stays(
    data: dict[str, Any],
) -> None:
    bench = Bench(misshapen=data)
    found = await ask("What is known about civic.mpid:12?", bench)
    assert (curies(found), found.unresolved) == (["civic.mpid:12"], ())
    (failure,) = found.naming_failures
    assert (failure.service, failure.state) == ("civic", "bad_payload")
    assert bench.discarded == ["civic"]


@pytest.mark.parametrize(
    "data", [{"molecularProfiles": None}, {"molecularProfiles": {"nodes": [{"id": "x"}, 7]}}]
)
async def test_a_list_that_is_none_is_no_empty_list(data: dict[str, Any]) -> None:
    found = await ask("What is known about BRAF V600E?", Bench(misshapen=data))
    assert [(e.service, e.state) for e in found.naming_failures] == [("civic", "bad_payload")]
    nothing = Bench(misshapen={"molecularProfiles": _page([])})
    assert (await ask("What is known about BRAF V600E?", nothing)).naming_failures == ()


async def test_a_bare_change_that_could_not_be_looked_up_is_not_the_users_fault() -> None:
    down = UnavailableError("civic answered 503", service="civic")
    found = await ask("Which drugs work with the V600E mutation?", Bench(broken={"civic": down}))
    assert next(u.failed for u in found.unresolved if "V600E" in u.mention) is down
