"""The citation check: what it lets through and what it refuses, sentence by sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from answer_material import GOUT, HCTZ, HYPERTENSION, SLC12A3, edge, evidence, material

from fedrag.answer.cite import Checker, check_sentence
from fedrag.answer.claims import Claim, Statement


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(material())


def said(
    text: str,
    *keys: str,
    claim: tuple[str, str, str] | None = None,
    negated: bool = False,
    direction: str = "",
) -> Statement:
    claims = (Claim(*claim, negated=negated, direction=direction),) if claim else ()
    return Statement(text, keys, claims)


DECREASE = ("hydrochlorothiazide", "decreases activity of", "SLC12A3")
TREAT = ("hydrochlorothiazide", "treats", "hypertension")
CONTRIBUTE = ("SLC12A3", "contributes to", "hypertension")

ACCEPTED = {
    "plain": said("Hydrochlorothiazide decreases SLC12A3 activity.", "E1", claim=DECREASE),
    "synonym verb": said("Hydrochlorothiazide inhibits SLC12A3.", "E1", claim=DECREASE),
    "alias of the entity": said(
        "HCTZ decreases the activity of SLC12A3.", "E1", claim=("HCTZ", "inhibits", "SLC12A3")
    ),
    "lower-case": said(
        "hydrochlorothiazide lowers slc12a3 activity",
        "E1",
        claim=("hydrochlorothiazide", "inhibits", "slc12a3"),
    ),
    "curie": said(
        "CHEBI:5778 decreases HGNC:10912.",
        "E1",
        claim=("CHEBI:5778", "biolink:decreases", "HGNC:10912"),
    ),
    "passive text": said("SLC12A3 is inhibited by hydrochlorothiazide.", "E1", claim=DECREASE),
    "passive claim": said(
        "SLC12A3 is inhibited by hydrochlorothiazide.",
        "E1",
        claim=("SLC12A3", "is inhibited by", "hydrochlorothiazide"),
    ),
    "agent noun": said("Hydrochlorothiazide is an inhibitor of SLC12A3.", "E1", claim=DECREASE),
    "compound agent": said(
        "The SLC12A3 inhibitor hydrochlorothiazide was returned.", "E1", claim=DECREASE
    ),
    "event noun": said(
        "Inhibition of SLC12A3 by hydrochlorothiazide is stated.", "E1", claim=DECREASE
    ),
    "double cue": said(
        "Hydrochlorothiazide causes decreased activity of SLC12A3.", "E1", claim=DECREASE
    ),
    "target": said("SLC12A3 is a target of hydrochlorothiazide.", "E1", claim=DECREASE),
    "weaker wording": said("Hydrochlorothiazide affects SLC12A3.", "E1", claim=DECREASE),
    "relative clause": said(
        "SLC12A3, which hydrochlorothiazide inhibits, was returned.", "E1", claim=DECREASE
    ),
    "two edges": said(
        "Hydrochlorothiazide inhibits SLC12A3, which contributes to hypertension.",
        "E1",
        "E2",
        claim=DECREASE,
    ),
    "by doing": said(
        "Hydrochlorothiazide treats hypertension by inhibiting SLC12A3.", "E1", "E3", claim=TREAT
    ),
    "synonym of the disease": said(
        "Hydrochlorothiazide treats hypertension.",
        "E3",
        claim=("Hydrochlorothiazide", "treats", "Hypertension"),
    ),
    "treated with": said(
        "Hypertension is treated with hydrochlorothiazide.",
        "E3",
        claim=("Hydrochlorothiazide", "treats", "hypertension"),
    ),
    "inline key": said("Hydrochlorothiazide decreases SLC12A3 activity [E1].", claim=DECREASE),
    "no claim but a relation": said("Hydrochlorothiazide decreases SLC12A3 activity.", "E1"),
    "pronoun": said("The drug decreases SLC12A3 activity.", "E1", claim=DECREASE),
    "answer sentence": said("SLC12A3 is the best supported gene.", "E1", "E2", claim=DECREASE),
    "negated": said(
        "Hydrochlorothiazide does not treat gout.",
        "E6",
        claim=("hydrochlorothiazide", "treats", "gout"),
        negated=True,
    ),
    "in trials": said(
        "Hydrochlorothiazide is in clinical trials for gout.",
        "E7",
        claim=("hydrochlorothiazide", "in clinical trials for", "gout"),
    ),
    "studied": said(
        "Hydrochlorothiazide has been studied to treat gout.",
        "E7",
        claim=("hydrochlorothiazide", "studied to treat", "gout"),
    ),
    "symmetric either way": said(
        "CA2 interacts with hydrochlorothiazide.",
        "E5",
        claim=("CA2", "interacts with", "hydrochlorothiazide"),
    ),
    "association either way": said(
        "Hypertension is associated with CA2.",
        "E11",
        claim=("hypertension", "associated with", "CA2"),
    ),
    "found on a descendant": said(
        "Lisinopril treats hypertension.", "E10", claim=("lisinopril", "treats", "hypertension")
    ),
    "coordination": said(
        "Hydrochlorothiazide affects SLC12A3 and KCNMA1.", "E1", "E4", claim=DECREASE
    ),
    "a heading of a list": said(
        "Genes that hydrochlorothiazide affects include SLC12A3 and KCNMA1.", "E1", "E4"
    ),
    "drugs that treat": said("Drugs that treat hypertension are hydrochlorothiazide.", "E3"),
    "targets include": said("The targets of hydrochlorothiazide include SLC12A3.", "E1"),
    "treatments are": said("Treatments for hypertension: hydrochlorothiazide.", "E3"),
    "linked through": said(
        "Hydrochlorothiazide is connected to hypertension through SLC12A3, which contributes to "
        "hypertension.",
        "E1",
        "E2",
    ),
    "a second clause": said(
        "SLC12A3 contributes to hypertension, and hydrochlorothiazide treats hypertension.",
        "E2",
        "E3",
    ),
    "a direction guessed for a treatment": said(
        "Hydrochlorothiazide is a drug that treats hypertension.",
        "E3",
        claim=TREAT,
        direction="increases",
    ),
    "a claim that lists": said(
        "Hydrochlorothiazide affects SLC12A3, CA2 and KCNMA1.",
        "E1",
        "E4",
        "E5",
        claim=("hydrochlorothiazide", "affects", "SLC12A3, CA2 and KCNMA1"),
    ),
    "harm said as harm": said(
        "Hydrochlorothiazide contributes to gout.",
        "E8",
        claim=("hydrochlorothiazide", "contributes to", "gout"),
    ),
    "abbreviation": said(
        "Hydrochlorothiazide decreases SLC12A3 activity (FDA label data aside).",
        "E1",
        claim=DECREASE,
    ),
    "evidence verbatim": said("Hydrochlorothiazide contributes to gout", "E8"),
}

REFUSED = {
    "no key": (said("Hydrochlorothiazide inhibits SLC12A3.", claim=DECREASE), "cites nothing"),
    "unknown key": (
        said("Hydrochlorothiazide inhibits SLC12A3.", "E99", claim=DECREASE),
        "no evidence E99",
    ),
    "unknown inline key": (
        said("Hydrochlorothiazide inhibits SLC12A3 [E98].", "E1", claim=DECREASE),
        "E98",
    ),
    "empty": (said("", "E1", claim=DECREASE), "empty"),
    "absent gene": (
        said(
            "Hydrochlorothiazide inhibits TP53.",
            "E1",
            claim=("hydrochlorothiazide", "inhibits", "TP53"),
        ),
        "TP53",
    ),
    "absent gene beside a true claim": (
        said("Hydrochlorothiazide inhibits SLC12A3 and EGFR.", "E1", claim=DECREASE),
        "EGFR (looks like a gene)",
    ),
    "lower-case absent gene": (
        said("Hydrochlorothiazide inhibits SLC12A3 through p53.", "E1", claim=DECREASE),
        "p53",
    ),
    "gene of other evidence": (
        said("Hydrochlorothiazide inhibits SLC12A3 together with KCNMA1.", "E1", claim=DECREASE),
        "it names KCNMA1",
    ),
    "absent drug": (
        said("Hydrochlorothiazide, like amlodipine, inhibits SLC12A3.", "E1", claim=DECREASE),
        "amlodipine (looks like a drug)",
    ),
    "absent disease": (
        said("Hydrochlorothiazide inhibits SLC12A3 in nephritis.", "E1", claim=DECREASE),
        "nephritis (looks like a disease)",
    ),
    "absent disease phrase": (
        said("Hydrochlorothiazide inhibits SLC12A3 in Gitelman syndrome.", "E1", claim=DECREASE),
        "Gitelman syndrome",
    ),
    "absent identifier": (
        said("Hydrochlorothiazide inhibits SLC12A3 (NCBIGene:7157).", "E1", claim=DECREASE),
        "NCBIGene:7157",
    ),
    "swapped direction": (
        said(
            "Hydrochlorothiazide increases SLC12A3 activity.",
            "E1",
            claim=("hydrochlorothiazide", "increases", "SLC12A3"),
        ),
        "it says increases, the cited edge decreases",
    ),
    "direction swapped in the text alone": (
        said("Hydrochlorothiazide activates SLC12A3.", "E1", claim=DECREASE),
        "increases",
    ),
    "direction swapped in the claim alone": (
        said(
            "Hydrochlorothiazide affects SLC12A3.",
            "E1",
            claim=(*DECREASE[:2], "SLC12A3"),
            direction="increases",
        ),
        "increases",
    ),
    "direction by a loose word": (
        said("It upregulates SLC12A3.", "E1", claim=DECREASE),
        "'upregulates'",
    ),
    "double negative direction": (
        said("Hydrochlorothiazide blocks the inhibition of SLC12A3.", "E1", claim=DECREASE),
        "increases",
    ),
    "direction the edge does not give": (
        said(
            "Hydrochlorothiazide inhibits CA2.",
            "E5",
            claim=("hydrochlorothiazide", "inhibits", "CA2"),
        ),
        "gives no direction",
    ),
    "dropped negation": (
        said(
            "Hydrochlorothiazide treats gout.",
            "E6",
            claim=("hydrochlorothiazide", "treats", "gout"),
        ),
        "the cited edge is negated",
    ),
    "negation dropped in the text alone": (
        said(
            "Hydrochlorothiazide treats gout.",
            "E6",
            claim=("hydrochlorothiazide", "treats", "gout"),
            negated=True,
        ),
        "negated",
    ),
    "added negation": (
        said(
            "Hydrochlorothiazide does not decrease SLC12A3 activity.",
            "E1",
            claim=DECREASE,
            negated=True,
        ),
        "not negated",
    ),
    "negation before the subject": (
        said(
            "There is no evidence that hydrochlorothiazide decreases SLC12A3.", "E1", claim=DECREASE
        ),
        "not negated",
    ),
    "key of another fact": (
        said("Hydrochlorothiazide inhibits SLC12A3.", "E3", claim=DECREASE),
        "no cited edge joins",
    ),
    "positively where the edge has no sign": (
        said("CA2 is positively correlated with hypertension.", "E11"),
        "increases",
    ),
    "negatively at the end": (
        said("CA2 is associated with hypertension, negatively.", "E11"),
        "'negatively'",
    ),
    "positively regulates where the edge decreases": (
        said("Hydrochlorothiazide positively regulates SLC12A3.", "E1"),
        "it says increases, the cited edge decreases",
    ),
    "a positive regulator where the edge decreases": (
        said("Hydrochlorothiazide is a positive regulator of SLC12A3.", "E1"),
        "it says increases, the cited edge decreases",
    ),
    "the most effective": (
        said("Hydrochlorothiazide is the most effective treatment for hypertension.", "E3"),
        "'most effective' compares",
    ),
    "a drug of choice": (
        said("Hydrochlorothiazide treats hypertension and is a drug of choice.", "E3"),
        "'of choice' compares",
    ),
    "a heading of another list": (
        said("Drugs that treat hypertension include hydrochlorothiazide and lisinopril.", "E3"),
        "lisinopril",
    ),
    "a heading with the wrong verb": (
        said("Drugs that cause hypertension include hydrochlorothiazide.", "E3"),
        "'cause' is not what the cited edge says",
    ),
    "a heading the wrong way": (
        said("Targets of SLC12A3 include hydrochlorothiazide.", "E1"),
        "the other way",
    ),
    "a negated heading": (
        said("Drugs that do not treat hypertension include hydrochlorothiazide.", "E3"),
        "not negated",
    ),
    "linked through something that is not linked": (
        said("Hydrochlorothiazide is connected to hypertension through KCNMA1.", "E4", "E3"),
        "no cited edge joins the two",
    ),
    "a second clause that is not said": (
        said("Hydrochlorothiazide treats hypertension, and SLC12A3 treats hypertension.", "E3"),
        "SLC12A3 treats hypertension",
    ),
    "a list of which one is not cited": (
        said(
            "Hydrochlorothiazide affects SLC12A3 and KCNMA1.",
            "E1",
            claim=("hydrochlorothiazide", "affects", "SLC12A3, KCNMA1"),
        ),
        "claim hydrochlorothiazide / affects / KCNMA1: no cited edge",
    ),
    "a list with a stranger": (
        said(
            "Hydrochlorothiazide affects SLC12A3.",
            "E1",
            claim=("hydrochlorothiazide", "affects", "SLC12A3 and TP53"),
        ),
        "'SLC12A3 and TP53', which no evidence names",
    ),
    "swapped ends": (
        said(
            "SLC12A3 inhibits hydrochlorothiazide.",
            "E1",
            claim=("SLC12A3", "inhibits", "hydrochlorothiazide"),
        ),
        "the other way",
    ),
    "ends swapped in the text alone": (
        said("SLC12A3 inhibits hydrochlorothiazide.", "E1", claim=DECREASE),
        "the other way",
    ),
    "passive swapped": (
        said("Hydrochlorothiazide is inhibited by SLC12A3.", "E1", claim=DECREASE),
        "the other way",
    ),
    "agent swapped": (
        said("SLC12A3 is an inhibitor of hydrochlorothiazide.", "E1", claim=DECREASE),
        "the other way",
    ),
    "trials made treatment": (
        said(
            "Hydrochlorothiazide treats gout.",
            "E7",
            claim=("hydrochlorothiazide", "treats", "gout"),
        ),
        "in clinical trials for",
    ),
    "trials made therapy": (
        said(
            "Hydrochlorothiazide is a therapy for gout.",
            "E7",
            claim=("hydrochlorothiazide", "in trials for", "gout"),
        ),
        "in clinical trials for",
    ),
    "harm made benefit": (
        said(
            "Hydrochlorothiazide treats gout.",
            "E8",
            claim=("hydrochlorothiazide", "treats", "gout"),
        ),
        "contributes to",
    ),
    "harm made relief": (
        said(
            "Hydrochlorothiazide alleviates gout.",
            "E8",
            claim=("hydrochlorothiazide", "alleviates", "gout"),
        ),
        "contributes to",
    ),
    "association made cause": (
        said("CA2 causes hypertension.", "E11", claim=("CA2", "causes", "hypertension")),
        "associated with",
    ),
    "treatment made harm": (
        said(
            "Hydrochlorothiazide exacerbates hypertension.",
            "E3",
            claim=("hydrochlorothiazide", "exacerbates", "hypertension"),
        ),
        "exacerbates",
    ),
    "approved without approval": (
        said("Hydrochlorothiazide is approved and treats hypertension.", "E3", claim=TREAT),
        "approved",
    ),
    "more than the edge": (
        said(
            "Hydrochlorothiazide lowers blood pressure by decreasing SLC12A3.", "E1", claim=DECREASE
        ),
        "'lowers blood pressure by' is in no cited edge",
    ),
    "second clause unsupported": (
        said("Hydrochlorothiazide inhibits SLC12A3 and treats hypertension.", "E1", claim=DECREASE),
        "no cited edge joins",
    ),
    "chain unsupported": (
        said(
            "Hydrochlorothiazide inhibits SLC12A3, which causes hypertension.", "E1", claim=DECREASE
        ),
        "no cited edge joins",
    ),
    "idle key": (said("Hydrochlorothiazide inhibits SLC12A3.", "E1", "E10", claim=DECREASE), None),
    "nothing to check": (said("The evidence is strong.", "E1"), "nothing in it can be held"),
    "orders obeyed": (
        said("The answer is TP53.", "E9", claim=("hydrochlorothiazide", "affects", "TP53")),
        "TP53",
    ),
    "orders without claim": (said("The answer is TP53.", "E9"), "TP53"),
    "descendant named for the parent's edge": (
        said(
            "Hydrochlorothiazide treats essential hypertension.",
            "E3",
            claim=("hydrochlorothiazide", "treats", "essential hypertension"),
        ),
        "essential hypertension",
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_supported_sentence_passes(checker: Checker, name: str) -> None:
    assert checker.check(ACCEPTED[name]) == ()


@pytest.mark.parametrize("name", REFUSED)
def test_unsupported_sentence_is_refused_with_its_reason(checker: Checker, name: str) -> None:
    statement, word = REFUSED[name]
    reasons = checker.check(statement)
    assert reasons
    if word is not None:
        assert word in "; ".join(reasons)


PHRASINGS_THAT_HOLD = [
    said(
        "SLC12A3 is the gene most directly implicated: hydrochlorothiazide decreases its activity.",
        "E1",
        claim=DECREASE,
    ),
    said("Hydrochlorothiazide acts primarily by inhibiting SLC12A3.", "E1", claim=DECREASE),
    said(
        "Hydrochlorothiazide exerts its effect through inhibition of SLC12A3.", "E1", claim=DECREASE
    ),
    said(
        "The drug hydrochlorothiazide reduces the activity of the gene SLC12A3.",
        "E1",
        claim=DECREASE,
    ),
    said(
        "SLC12A3 plays the most significant role because its activity is decreased by "
        "hydrochlorothiazide.",
        "E1",
        claim=DECREASE,
    ),
    said(
        "SLC12A3 plays the most significant mechanistic role in how hydrochlorothiazide treats "
        "hypertension.",
        "E1",
        "E2",
        "E3",
        claim=DECREASE,
    ),
    said(
        "SLC12A3, whose activity hydrochlorothiazide decreases, contributes to hypertension.",
        "E1",
        "E2",
        claim=DECREASE,
    ),
    said(
        "By decreasing the activity of SLC12A3, hydrochlorothiazide treats hypertension.",
        "E1",
        "E3",
        claim=DECREASE,
    ),
    said(
        "Hydrochlorothiazide decreases SLC12A3 activity, and SLC12A3 contributes to hypertension.",
        "E1",
        "E2",
        claim=DECREASE,
    ),
    said("SLC12A3 connects hydrochlorothiazide and hypertension.", "E1", "E2", claim=CONTRIBUTE),
    said("SLC12A3 is involved in hypertension.", "E2", claim=CONTRIBUTE),
    said("Hydrochlorothiazide is used to treat hypertension.", "E3", claim=TREAT),
    said(
        "Hydrochlorothiazide (HCTZ) treats hypertension (hypertensive disorder).", "E3", claim=TREAT
    ),
    said("According to drugmechdb, hydrochlorothiazide treats hypertension.", "E3", claim=TREAT),
    said("Hydrochlorothiazide-mediated inhibition of SLC12A3 was returned.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide down-regulates SLC12A3 activity.", "E1", claim=DECREASE),
    said(
        "The answer is SLC12A3, which is inhibited by hydrochlorothiazide and contributes to "
        "hypertension.",
        "E1",
        "E2",
        claim=DECREASE,
    ),
    said(
        "SLC12A3 is a target of hydrochlorothiazide in treating hypertension.",
        "E1",
        "E3",
        claim=DECREASE,
    ),
    said(
        "Hydrochlorothiazide is being investigated for gout.",
        "E7",
        claim=("hydrochlorothiazide", "in clinical trials for", "gout"),
    ),
]

PHRASINGS_THAT_DO_NOT = [
    said(
        "Hydrochlorothiazide decreases SLC12A3 activity, which increases hypertension.",
        "E1",
        "E2",
        claim=DECREASE,
    ),
    said("SLC12A3 protects against hypertension.", "E2", claim=CONTRIBUTE),
    said("SLC12A3 prevents hypertension.", "E2", claim=CONTRIBUTE),
    said("SLC12A3 reduces hypertension.", "E2", claim=CONTRIBUTE),
    said("Loss of SLC12A3 contributes to hypertension.", "E2", claim=CONTRIBUTE),
    said("Decreased SLC12A3 contributes to hypertension.", "E2", claim=CONTRIBUTE),
    said("Hydrochlorothiazide's inhibition of SLC12A3 treats gout.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide inhibits SLC12A3 and is first-line for gout.", "E1", claim=DECREASE),
    said(
        "Hydrochlorothiazide hardly ever fails to inhibit SLC12A3 in diabetes.",
        "E1",
        claim=DECREASE,
    ),
    said("Hydrochlorothiazide inhibits NCC, encoded by SLC12A3.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide, a thiazide diuretic, inhibits SLC12A3.", "E1", claim=DECREASE),
    said("SLC12A3 inhibits the effect of hydrochlorothiazide.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide is activated by SLC12A3.", "E1", claim=DECREASE),
    said("SLC12A3 is upregulated by hydrochlorothiazide.", "E1", claim=DECREASE),
    said("SLC12A3 activity rises with hydrochlorothiazide.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide boosts SLC12A3.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide is an SLC12A3 agonist.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide is an agonist of SLC12A3.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide leaves SLC12A3 without decreased activity.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide never decreases SLC12A3 activity.", "E1", claim=DECREASE),
    said("It is false that hydrochlorothiazide decreases SLC12A3 activity.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide cures hypertension.", "E3", claim=TREAT),
    said("Hydrochlorothiazide treats gout and hypertension.", "E3", claim=TREAT),
    said(
        "Hydrochlorothiazide is effective against gout.",
        "E7",
        claim=("hydrochlorothiazide", "in trials", "gout"),
    ),
    said(
        "Hydrochlorothiazide helps in gout.",
        "E8",
        claim=("hydrochlorothiazide", "contributes to", "gout"),
    ),
    said(
        "Hydrochlorothiazide is beneficial in gout.",
        "E8",
        claim=("hydrochlorothiazide", "contributes to", "gout"),
    ),
    said("Hypertension contributes to SLC12A3.", "E2", claim=CONTRIBUTE),
    said("Hypertension treats hydrochlorothiazide.", "E3", claim=TREAT),
    said("Hydrochlorothiazide treats SLC12A3.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide causes hypertension.", "E3", claim=TREAT),
    said("Hydrochlorothiazide interacts with SLC12A3 and CA2 inhibits it.", "E1", claim=DECREASE),
    said("Lisinopril and hydrochlorothiazide treat hypertension.", "E3", claim=TREAT),
    said(
        "Hydrochlorothiazide raises KCNMA1 more than SLC12A3.",
        "E4",
        "E1",
        claim=("hydrochlorothiazide", "increases expression of", "KCNMA1"),
    ),
    said("HYDROCHLOROTHIAZIDE INHIBITS SLC12A3 AND TP53.", "E1", claim=DECREASE),
    said("Hydrochlorothiazide inhibits Slc12a1.", "E1", claim=DECREASE),
    said("Aspirin inhibits SLC12A3 like hydrochlorothiazide.", "E1", claim=DECREASE),
    said(
        "Hydrochlorothiazide inhibits SLC12A3, an effect shared with warfarin.",
        "E1",
        claim=DECREASE,
    ),
]


@pytest.mark.parametrize("statement", PHRASINGS_THAT_HOLD, ids=lambda s: s.text[:60])
def test_true_phrasing_passes(checker: Checker, statement: Statement) -> None:
    assert checker.check(statement) == ()


@pytest.mark.parametrize("statement", PHRASINGS_THAT_DO_NOT, ids=lambda s: s.text[:60])
def test_false_phrasing_is_refused(checker: Checker, statement: Statement) -> None:
    assert checker.check(statement)


TREATS_HCTZ = "Hydrochlorothiazide treats hypertensive disorder"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{} and is safe in pregnancy.", "safe"),
        ("{} in children.", "children"),
        ("{} in dogs.", "dogs"),
        ("{} in 95% of patients.", "95%"),
        ("{} in most patients.", "most patients"),
        ("At 300 mg daily, hydrochlorothiazide treats hypertensive disorder.", "300"),
        (
            "Hydrochlorothiazide is the only drug that treats hypertensive disorder.",
            "the only drug",
        ),
        ("{}, so stop your other medicine.", "stop your"),
        ("{}, which kills most patients.", "kills"),
        ("{}, and you should take it.", "you"),
        ("Hydrochlorothiazide always treats hypertensive disorder.", "always"),
    ],
)
def test_what_no_edge_can_say_is_refused(checker: Checker, text: str, word: str) -> None:
    plain = said(f"{TREATS_HCTZ}.", "E3", claim=TREAT)
    assert checker.check(plain) == ()
    added = said(text.format(TREATS_HCTZ), "E3", claim=TREAT)
    assert f"it says {word!r}, which no cited edge does" in checker.check(added)


def test_a_number_that_a_cited_sentence_has_may_be_repeated() -> None:
    sentence = "Hydrochlorothiazide treats hypertensive disorder in children (phase 3)"
    given = material(evidence=(evidence("E3", sentence, edge(HCTZ, "treats", HYPERTENSION)),))
    text = "In children, hydrochlorothiazide treats hypertensive disorder (phase 3)."
    assert check_sentence(said(text, "E3", claim=TREAT), given) == ()


@pytest.mark.parametrize(("given", "other"), [("HER2-", "HER2+"), ("(+)-catechin", "(-)-catechin")])
def test_a_sign_of_a_name_is_part_of_it(given: str, other: str) -> None:
    node = replace(SLC12A3, name=given)
    item = evidence("E1", f"Hydrochlorothiazide affects {given}", edge(HCTZ, "affects", node))
    held = material(evidence=(item,))
    assert check_sentence(said(f"Hydrochlorothiazide affects {given}.", "E1"), held) == ()
    reasons = check_sentence(said(f"Hydrochlorothiazide affects {other}.", "E1"), held)
    assert reasons == (f"it writes {other}, which no cited edge does",)


def test_a_claim_that_contradicts_itself_is_refused(checker: Checker) -> None:
    claim = ("hydrochlorothiazide", "activates", "SLC12A3")
    statement = said(
        "Hydrochlorothiazide affects SLC12A3.", "E1", claim=claim, direction="decreases"
    )
    assert "at once" in checker.check(statement)[0]


def test_names_of_the_normalizer_are_accepted() -> None:
    statement = said("Hydrochlorothiazide inhibits NCCT.", "E1", claim=("HCTZ", "inhibits", "NCCT"))
    assert check_sentence(statement, material())
    assert not check_sentence(statement, material(synonyms={"NCBIGene:6559": ("NCCT",)}))


def test_symbols_that_are_english_words_count_in_capitals_only() -> None:
    kit = replace(SLC12A3, curie="NCBIGene:3815", name="KIT", found="NCBIGene:3815")
    was = replace(SLC12A3, curie="NCBIGene:7454", name="WAS", found="NCBIGene:7454")
    items = (
        evidence("E1", "Hydrochlorothiazide affects KIT", edge(HCTZ, "affects", kit)),
        evidence("E2", "Hydrochlorothiazide affects WAS", edge(HCTZ, "affects", was)),
    )
    checker = Checker(material(evidence=items, candidates=()))
    claim = ("hydrochlorothiazide", "affects", "KIT")
    assert checker.check(said("KIT was affected by hydrochlorothiazide.", "E1", claim=claim)) == ()
    assert checker.check(
        said("KIT and WAS are affected by hydrochlorothiazide.", "E1", claim=claim)
    )


def test_greek_letters_accents_and_inversions_are_one_name() -> None:
    beta = replace(SLC12A3, curie="NCBIGene:7040", name="TGF-β1", found="NCBIGene:7040")
    diabetes = replace(GOUT, curie="MONDO:0005148", name="diabetes mellitus, type 2", found="")
    items = (evidence("E1", "x", edge(beta, "contributes_to", diabetes)),)
    statement = said(
        "TGF-beta1 contributes to type 2 diabetes mellitus.",
        "E1",
        claim=("TGF beta1", "contributes to", "Type 2 Diabetes Mellitus"),
    )
    assert check_sentence(statement, material(evidence=items, candidates=())) == ()
