"""From questions to entities over a closed lexicon that answers like the services do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from entities_support import Lexicon, ask, curies, unresolved

from fedrag.entities import Mention
from fedrag.errors import BadPayloadError, ServiceTimeoutError, UnavailableError

GENE_Q = (
    "Which gene plays the most significant mechanistic role in how Drug {} treats or impacts the "
    "Disease {}?"
)


# --- free questions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what links PCSK9 and coronary artery disease?", ["NCBIGene:255738", "MONDO:0005010"]),
        ("What does braf cause", ["NCBIGene:673"]),
        ("Which genes does GC regulate?", ["NCBIGene:2638"]),
        ("which drugs treat GC", ["MONDO:0005277"]),
        ("Name drugs for ALS.", ["MONDO:0004976"]),
        ("is aspirin useful in diabetes?", ["CHEBI:15365", "MONDO:0005015"]),
        ("metformin for diabetes type 2", ["CHEBI:6801", "MONDO:0005148"]),
        ("How is COX-2 inhibited by Celebrex?", ["NCBIGene:5743", "CHEBI:41423"]),
        ("drugs targeting PDL1", ["NCBIGene:29126"]),
        ("What is the role of MET in lung cancer?", ["NCBIGene:4233", "MONDO:0008903"]),
        ("Who met patients with gout?", ["MONDO:0005393"]),
        ("Which phenotypes does Löffler’s syndrome have?", ["MONDO:0004802"]),
        ("which phenotypes does Loffler syndrome have", ["MONDO:0004802"]),
        ("which anti-TNF drugs treat Crohn’s disease", ["NCBIGene:7124", "MONDO:0005011"]),
        (
            "How does bleomycin-induced pulmonary fibrosis relate to TNF-α?",
            ["CHEBI:22907", "MONDO:0002771", "NCBIGene:7124"],
        ),
        ("statins and tumours of the breast, malignant", ["CHEBI:87631", "MONDO:0007254"]),
        ("What treats anaemia?", ["MONDO:0002280"]),
        ("What drugs treat Parkinson's?", ["MONDO:0005180"]),
        ("targets in parkinsons disease - which?", ["MONDO:0005180"]),
        ("drugs for alzheimers", ["MONDO:0004975"]),
        ("what does SLC12A3 do in Gitelman's?", ["NCBIGene:6559", "MONDO:0009904"]),
        ("Does HCTZ cause high blood pressure", ["CHEBI:5778", "MONDO:0005044"]),
        ("omeprazole vs esomeprazole", ["CHEBI:7772", "CHEBI:50275"]),
        ("which drug affects apoptosis via p53?", ["GO:0006915", "NCBIGene:7157"]),
        ("Which statins cause edema?", ["HP:0000969"]),
        ("TREATMENT OF SYSTEMIC MASTOCYTOSIS WITH IMATINIB", ["MONDO:0016586", "CHEBI:45783"]),
        ("Are acetylsalicylic acid (aspirin) and gout related?", ["CHEBI:15365", "MONDO:0005393"]),
    ],
)
async def test_free_questions(question: str, found: list[str]) -> None:
    result = await ask(question)
    assert curies(result) == found
    assert result.unresolved == ()
    for entity in result.entities:
        assert question[entity.start : entity.end] == entity.mention


@pytest.mark.parametrize(
    "question",
    [
        "Which drug is the best medicine for the disease?",
        "what are the mechanisms of gene expression in cells",
        "How do doctors usually decide which treatment works?",
        "list proteins",
        "",
        "   ?",
        "1 2 3",
    ],
)
async def test_kinds_of_things_and_plain_english_are_no_entities(question: str) -> None:
    result = await ask(question)
    assert result.entities == ()
    assert result.unresolved == ()


async def test_nothing_to_look_up_asks_nobody() -> None:
    lexicon = Lexicon()
    await ask("which drug treats the disease?", lexicon)
    assert lexicon.calls == []


async def test_an_ordinary_question_is_one_call_and_a_pair() -> None:
    lexicon = Lexicon()
    await ask(GENE_Q.format("hydrochlorothiazide", "hypertension"), lexicon)
    paths = [path for path, _ in lexicon.calls]
    assert paths == ["/bulk-lookup", "/get_normalized_nodes", "/get_normalized_nodes"]
    first, plain, other = (body for _, body in lexicon.calls)
    assert first["limit"] >= 25
    assert first["biolink_types"] == []
    assert first["only_taxa"] == ""
    assert sorted((plain["conflate"], other["conflate"])) == [False, True]


# --- what is kept of an entity ------------------------------------------------------------------


async def test_a_marked_entity_keeps_what_was_asked_and_found() -> None:
    (drug, disease) = (await ask(GENE_Q.format("hydrochlorothiazide", "hypertension"))).entities
    assert (drug.how, drug.asked_as, drug.name) == (
        "marker",
        "biolink:ChemicalEntity",
        "Hydrochlorothiazide",
    )
    assert (disease.curie, disease.asked_as) == ("MONDO:0005044", "biolink:Disease")
    assert disease.score > 0
    assert disease.categories[0] == "biolink:Disease"
    assert [c.curie for c in disease.candidates] == ["HP:0000822"]
    assert disease.candidates[0].match == "exact"
    assert drug.ambiguous is disease.ambiguous is False


async def test_human_genes_are_taken_and_the_others_counted() -> None:
    result = await ask("Which diseases does MYB cause?")
    assert curies(result) == ["NCBIGene:4602"]
    assert result.entities[0].taxa == ("NCBITaxon:9606",)
    assert result.notes == ('"MYB": 1 genes of other species of that name were left out',)


async def test_another_taxon_can_be_asked_for() -> None:
    assert curies(await ask("PCSK9", taxon="NCBITaxon:10090")) == ["NCBIGene:100102"]


async def test_a_gene_hidden_behind_orthologues_is_asked_for_again() -> None:
    lexicon = Lexicon(hidden=frozenset({"NCBIGene:4602"}))
    assert curies(await ask("Which diseases does MYB cause?", lexicon)) == ["NCBIGene:4602"]
    taxa = [body["only_taxa"] for path, body in lexicon.calls if path == "/bulk-lookup"]
    assert taxa == ["", "NCBITaxon:9606"]


async def test_only_genes_of_other_species_is_unresolved_and_says_why() -> None:
    result = await ask("what is the target of zymA?")
    assert unresolved(result) == ["zymA"]
    assert result.unresolved[0].nearest == ("zymA",)
    assert "NCBITaxon:9606" in result.unresolved[0].reason


async def test_a_gene_without_a_stated_species_is_kept_and_noted() -> None:
    lexicon = Lexicon()
    lexicon.known["NCBIGene:673"] = replace(lexicon.known["NCBIGene:673"], taxa=())
    result = await ask("BRAF", lexicon)
    assert curies(result) == ["NCBIGene:673"]
    assert "BRAF (NCBIGene:673): its species is not stated; kept" in result.notes


async def test_two_equal_aliases_are_ambiguous_and_both_shown() -> None:
    (gene,) = (await ask("what inhibits COX1?")).entities
    assert gene.ambiguous
    assert {gene.curie, gene.candidates[0].curie} == {"NCBIGene:4512", "NCBIGene:5742"}


@pytest.mark.parametrize("question", ["the gene GC", "drugs to treat GC", "GC"])
async def test_wording_or_a_better_name_is_not_ambiguous(question: str) -> None:
    (entity,) = (await ask(question)).entities
    assert not entity.ambiguous


async def test_rivals_that_normalise_to_the_same_are_not_ambiguous() -> None:
    lexicon = Lexicon()
    same = lexicon.known["NCBIGene:5742"].node()
    lexicon.merge = {"NCBIGene:4512": same, "NCBIGene:5742": same}
    (gene,) = (await ask("what inhibits COX1?", lexicon)).entities
    assert (gene.curie, gene.ambiguous) == ("NCBIGene:5742", False)


async def test_wording_decides_between_a_protein_and_a_hormone() -> None:
    assert curies(await ask("what lowers insulin?")) == ["CHEBI:145810"]
    assert curies(await ask("what lowers insulin expression?")) == ["NCBIGene:3630"]


async def test_a_marker_for_something_of_another_kind_is_taken_and_noted() -> None:
    result = await ask(GENE_Q.format("PCSK9", "gout"))
    assert curies(result) == ["NCBIGene:255738", "MONDO:0005393"]
    assert '"PCSK9" was asked as a ChemicalEntity; PCSK9 (NCBIGene:255738) is none' in result.notes


async def test_the_same_thing_named_twice_is_one_entity() -> None:
    result = await ask("Is HCTZ (hydrochlorothiazide) for hypertension, high blood pressure?")
    assert [e.mention for e in result.entities] == ["HCTZ", "hypertension"]


async def test_a_place_beside_a_disease_is_set_aside_with_a_note() -> None:
    result = await ask("Which genes cause gout in the liver?")
    assert curies(result) == ["MONDO:0005393"]
    assert result.notes == (
        '"liver" (liver, UBERON:0002107) was not taken as an entity: it only says where',
    )
    assert curies(await ask("Which genes are expressed in mast cells?")) == ["CL:0000097"]


async def test_the_longest_name_wins_over_its_parts() -> None:
    assert curies(await ask("non-small cell lung cancer")) == ["MONDO:0018540"]
    assert curies(await ask("type 2 diabetes mellitus")) == ["MONDO:0005148"]


async def test_what_the_normalizer_does_not_know_stays_as_it_was_found() -> None:
    lexicon = Lexicon(merge={"MONDO:0005393": None})  # type: ignore[dict-item]
    result = await ask("gout", lexicon)
    assert curies(result) == ["MONDO:0005393"]
    assert "gout (MONDO:0005393) is unknown to the Node Normalizer" in result.notes


async def test_what_conflation_merged_is_told() -> None:
    lexicon = Lexicon()
    gene = lexicon.known["NCBIGene:673"].node()
    gene["equivalent_identifiers"].append(
        {"identifier": "UniProtKB:P15056", "label": "BRAF_HUMAN B-raf (sprot)"}
    )
    lexicon.merge = {"NCBIGene:673": gene}
    (entity,) = (await ask("BRAF", lexicon)).entities
    assert entity.unconflated == "NCBIGene:673"
    assert entity.conflated == (
        "conflation merged the gene NCBIGene:673 BRAF and its protein UniProtKB:P15056",
    )


# --- pins, CURIEs, quotes, a model's mentions ---------------------------------------------------


async def test_a_pin_is_taken_as_said() -> None:
    result = await ask("aspirin and hypertension", pins={"hypertension": "HP:0000822"})
    assert [(e.curie, e.how) for e in result.entities] == [
        ("CHEBI:15365", "exact"),
        ("HP:0000822", "pinned"),
    ]


async def test_a_pin_that_is_not_in_the_question_is_an_entity_after_the_others() -> None:
    result = await ask("what treats it besides aspirin?", pins={"it all": "mondo:0005393"})
    assert [(e.curie, e.start) for e in result.entities] == [
        ("CHEBI:15365", 23),
        ("MONDO:0005393", -1),
    ]


async def test_a_typed_curie_needs_no_name_resolver() -> None:
    lexicon = Lexicon()
    result = await ask("What treats mondo:0005393?", lexicon)
    assert [(e.curie, e.how, e.name) for e in result.entities] == [
        ("MONDO:0005393", "curie", "gout")
    ]
    assert lexicon.count("/bulk-lookup") == 0


@pytest.mark.parametrize("options", [{}, {"pins": {"gout": "MONDO:9999999"}}])
async def test_an_unknown_curie_is_unresolved(options: dict[str, Any]) -> None:
    question = "what treats gout?" if options else "what treats MONDO:9999999?"
    result = await ask(question, **options)
    assert result.entities == ()
    assert result.unresolved[0].reason == "MONDO:9999999 is unknown to the Node Normalizer"


async def test_a_quoted_name_is_taken_whole_or_not_at_all() -> None:
    result = await ask('Which genes cause "lung cancer of smokers"?')
    assert result.entities == ()
    assert unresolved(result) == ["lung cancer of smokers"]
    assert curies(await ask('Is the "best" treatment for "gout" known?')) == ["MONDO:0005393"]


async def test_a_models_mentions_are_checked_like_any_other() -> None:
    extra = [
        Mention("gout", -1, -1, "llm", ("biolink:Disease",)),
        Mention("lupus", -1, -1, "llm"),
        Mention("flares", 8, 14, "llm"),
    ]
    result = await ask("Do gout flares respond?", extra_mentions=extra)
    assert [(e.curie, e.how, e.asked_as) for e in result.entities] == [
        ("MONDO:0005393", "llm", "biolink:Disease")
    ]


# --- misspelt and unknown names -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "mention", "curie"),
    [
        ("does hydrochlorothiazid help?", "hydrochlorothiazid", "CHEBI:5778"),
        ("does hydroclorothiazide help?", "hydroclorothiazide", "CHEBI:5778"),
        ("What are the targets of imatanib?", "imatanib", "CHEBI:45783"),
        ("which drugs treat rheumatoid artritis", "rheumatoid artritis", "MONDO:0008383"),
        ("what genes cause rhuematoid arthritis", "rhuematoid arthritis", "MONDO:0008383"),
        ("genes of brest cancer", "brest cancer", "MONDO:0007254"),
        ("drugs for diabetis", "diabetis", "MONDO:0005015"),
        ("asprin side effects", "asprin", "CHEBI:15365"),
        ("what is metforman for", "metforman", "CHEBI:6801"),
        ("alzhiemer disease genes", "alzhiemer disease", "MONDO:0004975"),
        ("what lowers hypertention", "hypertention", "MONDO:0005044"),
        (GENE_Q.format("imatanib", "gout"), "imatanib", "CHEBI:45783"),
        (
            GENE_Q.format("imatinib", "sistemic mastocitosis"),
            "sistemic mastocitosis",
            "MONDO:0016586",
        ),
        ('what does "celecoxibe" do', "celecoxibe", "CHEBI:41423"),
    ],
)
async def test_misspelt_names_are_read_and_noted(question: str, mention: str, curie: str) -> None:
    lexicon = Lexicon()
    result = await ask(question, lexicon)
    (entity,) = (e for e in result.entities if e.how == "fuzzy")
    assert (entity.mention, entity.curie) == (mention, curie)
    assert f'"{mention}" was read as {entity.name} ({curie})' in result.notes
    assert result.unresolved == ()
    assert lexicon.count("/bulk-lookup") == 2
    assert 0 < len(lexicon.strings(autocomplete=True)) <= 120


@pytest.mark.parametrize(
    ("question", "mention"),
    [
        ("what are the targets of xyzzamib?", "xyzzamib"),
        ("does zorblatinib treat gout?", "zorblatinib"),
        ("which genes cause Blorkman syndrome?", "Blorkman syndrome"),
        ("what links PCSK9 and brachial artery disease?", "brachial artery disease"),
        ("genes of lipid zorblosis in gout", "lipid zorblosis"),  # its first word is a known one
        ("what inhibits QRX77?", "QRX77"),
        ("what does predniso treat?", "predniso"),  # prednisone and prednisolone are as near
        (GENE_Q.format("xyzzamib", "gout"), "xyzzamib"),
        (GENE_Q.format("aspirin", "severe gout"), "severe gout"),
        (GENE_Q.format("aspirin", "type 3 diabetes"), "type 3 diabetes"),
        (GENE_Q.format("aspirin", "MTE"), "MTE"),  # a short name is not guessed at
    ],
)
async def test_a_name_nobody_knows_is_unresolved(question: str, mention: str) -> None:
    result = await ask(question)
    assert unresolved(result) == [mention]
    assert not any(e.how == "fuzzy" for e in result.entities)


@pytest.mark.parametrize(
    ("question", "curie"),
    [
        ("What are the symptoms of hypertension?", "MONDO:0005044"),
        ("phenotypes of hypertension", "MONDO:0005044"),
        ("genes of hypertension", "MONDO:0005044"),
        ("hypertension genes", "MONDO:0005044"),
        ("symptoms of GC", "MONDO:0005277"),
        ("genes of ALS", "MONDO:0004976"),
        ("inhibitors of insulin", "NCBIGene:3630"),
        ("targets of insulin", "CHEBI:145810"),
        ("the symptom hypertension", "HP:0000822"),
    ],
)
async def test_what_is_asked_of_a_thing_is_not_its_kind(question: str, curie: str) -> None:
    assert curies(await ask(question)) == [curie]


@pytest.mark.parametrize(
    ("question", "asked_as"),
    [
        ("Which drugs target Gene hypertension?", None),  # no gene: not to be told as one
        ("What causes Disease BRAF?", None),
        ("Drug PTGS2 and gout", "biolink:ChemicalEntity"),  # a protein may be a drug
        ("Disease hypertension and imatinib", "biolink:Disease"),
    ],
)
async def test_wording_that_what_was_found_cannot_be_is_not_told(
    question: str, asked_as: str | None
) -> None:
    result = await ask(question)
    assert result.entities[0].asked_as == asked_as
    told = [note for note in result.notes if "was asked as a" in note]
    assert bool(told) == (asked_as in (None, "biolink:ChemicalEntity"))


async def test_the_object_of_a_verb_of_degree_need_not_be_a_name() -> None:
    result = await ask("does aspirin lower readmissions in gout?")
    assert unresolved(result) == []
    assert curies(result) == ["CHEBI:15365", "MONDO:0005393"]


async def test_the_nearest_names_are_told() -> None:
    result = await ask(GENE_Q.format("aspirin", "hypertensive disarray"))
    assert result.unresolved[0].nearest[0] == "hypertensive disorder"


async def test_the_nearest_names_of_a_whole_name_are_told() -> None:
    result = await ask("what links PCSK9 and carotid artery disease?")
    (missing,) = result.unresolved
    assert missing.mention == "carotid artery disease"
    assert missing.nearest[0] == "coronary artery disorder"


@pytest.mark.parametrize(
    "question",
    [
        "what do physicians reportedly consider for gout",
        "which drugs, a referee wonders, are swallowed in gout?",
        "the usual NSAIDs aside, which drugs treat gout?",
        "Is gout hereditary or preventable nowadays?",
        "Please summarise everything regarding gout concisely",
        "gout: therapeutic landscape and unanswered questions",
    ],
)
async def test_ordinary_words_are_not_reported(question: str) -> None:
    result = await ask(question)
    assert curies(result) == ["MONDO:0005393"]
    assert result.unresolved == ()


async def test_a_loose_marker_may_be_longer_than_the_name() -> None:
    result = await ask("How does Drug imatinib mostly help in Disease gout today?")
    assert [(e.curie, e.how) for e in result.entities] == [
        ("CHEBI:45783", "marker"),
        ("MONDO:0005393", "marker"),
    ]
    assert result.unresolved == ()


# --- failures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/bulk-lookup", "/get_normalized_nodes"])
async def test_a_failing_service_is_an_error_not_unresolved(path: str) -> None:
    lexicon = Lexicon(broken={path: ServiceTimeoutError("slow", service="x")})
    with pytest.raises(ServiceTimeoutError):
        await ask("what treats gout?", lexicon)


async def test_a_failing_second_round_is_an_error_where_it_was_needed() -> None:
    down = UnavailableError("down", service="nameres", status=503)
    with pytest.raises(UnavailableError):
        await ask("targets of imatanib?", Lexicon(broken={"autocomplete": down}))


async def test_a_failing_second_round_is_a_note_where_it_was_not() -> None:
    down = UnavailableError("down", service="nameres", status=503)
    result = await ask("gout genes mostly murky", Lexicon(broken={"autocomplete": down}))
    assert curies(result) == ["MONDO:0005393"]
    assert result.notes == (
        "misspelt names were not looked for: down",
        'not recognised and not used: "murky"',
    )
    assert result.failures == (down,)


@pytest.mark.parametrize("payload", [[], {"gout": {}}, "x", None])
async def test_an_answer_of_another_shape_is_a_bad_payload(payload: Any) -> None:
    from entities_support import reply

    class Odd(Lexicon):
        async def send(self, *_: Any, **__: Any) -> Any:
            return reply(payload)

    lexicon = Odd()
    with pytest.raises(BadPayloadError):
        await ask("gout", lexicon)
    assert lexicon.discarded == ["nameres"]


async def test_a_huge_question_is_a_bounded_call() -> None:
    lexicon = Lexicon()
    await ask(" ".join(f"word{chr(97 + i % 26)}{i}" for i in range(8000)), lexicon)
    assert len(lexicon.strings()) <= 450
    assert len(lexicon.strings(autocomplete=True)) <= 120
