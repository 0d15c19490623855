"""Word lists and patterns for reading English questions; all over text with mentions masked.

Generous on purpose: a template is chosen by what kinds of things are named and asked for, and the
words here only tell apart questions that share those.
"""

from __future__ import annotations

import re

from fedrag.plan.answers import ANSWERS

__all__ = [
    "ABOUT",
    "AFTER",
    "ANNOUNCE",
    "ANY_NOUN",
    "ASKS",
    "AUXILIARY",
    "HOW",
    "LEXICON",
    "NOT_ASKED_AFTER",
    "RELATIVE",
    "REQUEST",
    "SPELLINGS",
    "SUPERLATIVE",
    "TELL_HOW",
    "TOKEN",
    "TOP_SEVERAL",
    "TREATS",
    "VERBS",
    "WHAT_TREATS",
    "YES_NO",
    "expand",
]

# How an enzyme or a transporter is said to act on a chemical, before its name and after it.
_TURNS_OVER = (
    r"(?:break(?:s|ing)? down|tak(?:e|es|ing) up|carr(?:y|ies|ying)|(?:degrad|metaboli[sz]|"
    r"cataboli[sz]|oxidi[sz]|hydroly[sz]|synthesi[sz]|biosynthesi[sz]|generat|inactivat|"
    r"cleav|secret|conjugat|methylat|demethylat|acetylat|hydroxylat|glucuronidat|eliminat|produc|"
    r"creat|mak)(?:e|es|ing)|(?:form|convert|transport|clear|import|export|turn)(?:s|ing)?)"
)
_TURNED_OVER = (
    r"(?:(?:metaboli[sz]|degrad|cataboli[sz]|oxidi[sz]|hydroly[sz]|synthesi[sz]|biosynthesi[sz]|"
    r"produc|cleav|secret|generat|inactivat|conjugat|transport|convert|form|clear|eliminat|"
    r"import|export)ed|broken down|taken up|made)"
)
_TURNOVER = (
    r"(?:metabolism|catabolism|degradation|breakdown|clearance|synthesis|biosynthesis|production|"
    r"transport|conversion|oxidation|hydrolysis|inactivation|uptake|elimination)"
)

# Words that templates' cues share: "{treat}" in a pattern stands for the whole group.
LEXICON: dict[str, str] = {
    "treat": r"treat\w*|therap(?:y|ies|eutic\w*)|cur(?:e|es|ed|ing)|alleviat\w+|reliev\w+|relief|"
    r"ameliorat\w+|improv\w+|manag(?:e|es|ed|ing|ement)|combat\w*|fight\w*|prescri\w+|indicated|"
    r"help(?:s|ed|ful|ing)?|benefi\w+|effective|efficacy|efficacious|remed(?:y|ies)|"
    r"medicat\w+|heal(?:s|ed|ing)?|palliat\w+|against|"
    r"(?:is|are|be|been|being|was|were|commonly|often|usually|currently)? ?"
    r"(?:used|given|taken|recommended|approved|licensed|administered|repurposed|available) "
    r"(?:for|in|to|against|on|with)|works? (?:for|against)|good for|first[- ]line|drug of choice",
    "prevent": r"prevent\w*|prophyla\w+|protect(?:s|ed|ing|ive)? (?:\w+ )?(?:against|from)|"
    r"(?:ward|stav)\w* off|(?:reduc|lower|decreas)\w* (?:the )?risk|"
    r"help(?:s|ed|ing)? (?:to )?avoid",
    "target": r"target\w*|bind(?:s|ing)?|bound|hit(?:s|ting)?|engag\w+|dock\w*|"
    r"act(?:s|ing)? (?:up)?on|act(?:s|ing)? (?:via|through|at)|interact\w*|affinity|"
    r"agoni\w+|antagoni\w+|inhibit\w*|block\w*|modulat\w+|activat\w+|stimulat\w+|suppress\w*|"
    r"affect\w*|regulat\w+|hits",
    "cause": r"caus(?:e|es|ed|ing|ative|al|ally|ation)|lead(?:s|ing)? to|led to|result(?:s|ing)? "
    r"(?:in|from)|induc\w+|trigger\w*|provok\w+|precipitat\w+|contribut\w+|responsible for|"
    r"underl(?:ie|ies|ying)|driv(?:e|es|en|ing)|predispos\w+|risk|a?etiolog\w+|"
    r"due to|bring(?:s|ing)? (?:on|about)|give(?:s)? rise to|behind|pathogen\w+|worsen\w*|"
    r"exacerbat\w+|aggravat\w+|origin\w*|reason\w*",
    "harm": r"side[- ]?effects?|advers\w+|toxic\w*|unwanted|undesir\w+|harm\w*|unsafe|danger\w*|"
    r"safety|complication\w*|reactions?|bad|negative effects?|ill effects?|tolerab\w+",
    "down": r"inverse agoni\w+|inhibit\w*|block\w*|suppress\w*|repress\w*|down[- ]?regulat\w*|"
    r"decreas\w+|reduc\w+|antagoni\w+|silenc\w+|inactivat\w+|lower\w*|attenuat\w+|"
    r"negative(?:ly)?|impair\w+|degrad\w+|turn\w* off|switch\w* off|shut\w* down|deplet\w+|"
    r"diminish\w*",
    "up": r"activat\w+|stimulat\w+|up[- ]?regulat\w*|increas\w+|enhanc\w+|promot\w+|agoni[sz]\w*|"
    r"elevat\w+|positive(?:ly)?|boost\w*|potentiat\w+|rais\w+|induc\w+|turn\w* on|switch\w* on|"
    r"amplif\w+",
    # Said of what acts, before what it acts on.
    "lowers": r"lower(?:s|ing)?|(?:reduc|decreas|deplet|antagoni[sz])(?:e|es|ing)|"
    r"(?:suppress|diminish)(?:es|ing)?|(?:inhibit|block|clear)(?:s|ing)?",
    "raises": r"(?:rais|increas|elevat|enhanc|promot|stimulat|potentiat)(?:e|es|ing)|"
    r"boost(?:s|ing)?",
    # What an enzyme or a transporter does.
    "convert": r"degrad\w+|(?:metaboli|catabol|oxidi|hydroly|synthesi)[sz]?\w*|produc\w+|"
    r"generat\w+|form(?:s|ed)|convert\w*|transport\w*|break\w* down|broken down|cleav\w+|secret\w+|"
    r"make|makes|made",
    "turnover": rf"{_TURNS_OVER} (?:(?:the|its|a|an|drug|excess|both) )*CHEMICAL|"
    rf"CHEMICAL (?:is |are |gets |can be |being )?(?:\w+ly )?{_TURNED_OVER}|"
    rf"CHEMICAL(?:'s)?[ -](?:{_TURNOVER}|{_TURNS_OVER})(?! of)|"
    rf"{_TURNOVER} (?:and \w+ )?of (?:the )?CHEMICAL",
    "regulate": r"regulat\w+|control\w*|modulat\w+|affect\w*|influenc\w+|alter\w*|govern\w*|"
    r"signal\w*|upstream|downstream|chang\w+|inhibit\w*|block\w*|suppress\w*|repress\w*|"
    r"(?:down|up)[- ]?regulat\w*|decreas\w+|reduc\w+|antagoni\w+|silenc\w+|inactivat\w+|lower\w*|"
    r"activat\w+|stimulat\w+|increas\w+|enhanc\w+|promot\w+|agoni[sz]\w*|elevat\w+|boost\w*|"
    r"induc\w+|attenuat\w+|degrad\w+|phosphorylat\w+|ubiquitinat\w+|cleav\w+|turn\w* o(?:n|ff)|"
    r"switch\w* o(?:n|ff)|transcri\w+",
    "interact": r"interact\w*|bind(?:s|ing)?|bound|partner\w*|complex(?:es)?|associat\w+|"
    r"physical\w*|contact\w*|connect\w*|work\w* with|dimeri[sz]\w+",
    "associate": r"associat\w+|link\w*|relat\w+|connect\w*|implicat\w+|involv\w+|correlat\w+|"
    r"tied|play\w*|role|relevan\w+|susceptib\w+|important|mutat\w+|known for|affected by|"
    r"influenced by|contribut\w+|caus\w+|due to|result\w*|happen\w*|develop\w*",
    "mechanism": r"mechanis\w+|mode of action|moa|how|explain\w*|why|mediat\w+|"
    r"(?:by|through|via) which|by means of|by what means|pharmacodynamic\w*|"
    r"work(?:s|ing)?|exert\w*|act(?:s|ing)?|action",
    "symptom": r"symptom\w*|signs?|phenotyp\w+|manifest\w*|present(?:s|ing|ation)?|features?|"
    r"characteri[sz]\w+|abnormalit\w+|look like|looks like|experience\w*|suffer\w*|clinical\w*|"
    r"feel\w*|recogni[sz]e\w*|show(?:s|n)?",
    "process": r"process(?:es)?|pathways?|functions?|activit(?:y|ies)|cascades?|"
    r"signal(?:l)?ing|roles?|do|does|responsible|involved|participat\w+|take(?:s)? part|job|"
    r"purpose|needed|required|for what",
    "both": r"both|in common|shared?|sharing|common to|overlap\w*|intersect\w*|simultaneously|"
    r"at the same time|as well as|and also|jointly|while also|but also|each of|all of",
    "contraindicated": r"contra[- ]?indicat\w+|avoid\w*|unsafe|should not|shouldn't|not be "
    r"(?:used|given|taken)|cannot|can't|must not|dangerous|warning\w*|precaution\w*",
    # How a variant bears on a drug.
    "resist": r"resist\w*|refractor\w*|insensitiv\w*|non-?respon\w*|fail\w*",
    "respond": r"respon[ds]\w*|sensitiv\w*|sensiti[sz]\w+|benefit\w*|susceptib\w*",
    "express": r"express\w*|locat\w+|locali[sz]\w+|found|where|present|active in|abundan\w+",
}
_MACRO = re.compile(r"\{([a-z]+)\}")

# How a drug and a disease are related when a treatment is asked about.
TREATS = r"{treat}|indication|CHEMICAL (?:for|in) (?:\w+ )?DISEASE|\bworks?\b"
# "Which ...", "name the ...": what follows holds the noun that is asked for.
ASKS = re.compile(
    r"\b(?:which|what|what's|whats|whose|name|list|give|show|find|identify|tell|enumerate|"
    r"suggest|recommend|provide|report|search for|look for|get|any|some|how many|"
    r"are there|is there)\b"
)
HOW = re.compile(r"\b(?:how|why|where|when)\b(?! many| much)")
YES_NO = re.compile(
    r"^\W*(?:and |so |but |please |ok(?:ay)? )*(?:is|are|was|were|does|do|did|can|could|has|have|"
    r"had|will|would|should|may|might)(?:n't)?\b"
)
# ... but these openings are requests, not yes-or-no questions.
REQUEST = re.compile(
    r"^\W*(?:(?:is|are|do|does|did|have|has) (?:there|any|some)\b|"
    r"(?:can|could|would|will) (?:you|we|i|somebody|someone)\b|"
    r"do (?:you|we) (?:know|have)\b|have you\b)"
)
SUPERLATIVE = re.compile(
    r"\b(?:most|best|main|mainly|primary|primarily|strongest|principal|key|top|single|leading|"
    r"chief|likeliest|major)\b"
)
TOP_SEVERAL = re.compile(r"\btop[- ](?:\d+|two|three|five|ten|few)\b")
TELL_HOW = re.compile(r"\s*(?:me|us)?[\s:,]*(?:exactly |in detail )?(?:how(?! many| much)|why)\b")
# "what does X ...": X is no answer, what comes after it may be.
AUXILIARY = re.compile(r"\s+(?:does|do|did|can|could|will|would|may|might|should)\b")
# "the way by which X ...": a relative pronoun asks for nothing.
RELATIVE = re.compile(r"\b(?:by|through|via|with|in|from) which(?= (?:the )?[A-Z]{4,})")
WHAT_TREATS = re.compile(
    r"^\W*what(?:'s| else)?(?: can| could| will| would)? (?:treat|cure|alleviat|reliev)\w* "
    r"(?:both )?DISEASE\b"
)
TOKEN = re.compile(r"\b[A-Z]{4,}\b")
ABOUT = re.compile(
    r"\b(?:information|info|details?|data|facts|knowledge|evidence|everything|anything)"
    r" (?:is there )?(?:on|about|regarding|concerning)\b"
)
ANY_NOUN = re.compile(
    "|".join(rf"(?P<{name}>\b(?:{family.nouns})\b)" for name, family in ANSWERS.items())
)
# A noun after these is not what is asked for: "as a treatment", "in the treatment of", "of action".
NOT_ASKED_AFTER = re.compile(
    r"\b(?:as|in|on|to|during|under|with|without|for|by|after|before|from|through|via|at|than|"
    r"against|not|(?:mechanism|mode|role|effects?|use|evidence|impact|influence) (?:of|for))"
    r"(?: (?:the|a|an|its|their|this|that|human|such))?$"
)
# Nouns that are verbs when this follows.
VERBS = (
    (r"targets?", r"\s+(?:(?:the |both |human )?[A-Z]{4,}|it\b|them\b|this\b|both\b)"),
    (r"functions?|features?|signals?", r"\s+(?:in|as|to|through|via|prominently)\b"),
    (r"signs?", r"\s+(?:off|up)\b"),
    (r".+", r"\s+of\W*$"),
    (r"treatments?|therap(?:y|ies)", r"\s+(?:response|resistance|outcomes?)\b"),
    (r"cells?", r"\s+(?:surface|membrane|cycle|death|growth|proliferation|signaling)\b"),
)
# Nouns that are worth reading through a misspelling.
SPELLINGS = (
    "biomarkers", "disease", "diseases", "disorder", "disorders", "enzyme", "enzymes", "function",
    "functions", "mechanism", "medication", "medications", "medicine", "medicines", "metabolite",
    "metabolites", "pathway", "pathways", "phenotype", "phenotypes", "process", "processes",
    "protein", "proteins", "receptor", "receptors", "symptom", "symptoms", "target", "targets",
    "therapies", "therapy", "tissues", "treatment", "treatments",
)  # fmt: skip
# Words that announce a mention of a family, singular, right before it.
ANNOUNCE = {
    "CHEMICAL": r"drug|chemical|compound|small molecule|molecule|medication|medicine|substance|"
    r"metabolite|agent|antibiotic|inhibitor|hormone|biologic",
    "GENE": r"gene|protein|gene product|enzyme|receptor|kinase|transcription factor|"
    r"transporter|channel|cytokine|oncogene|tumou?r suppressor(?: gene)?|biomarker",
    "DISEASE": r"disease|disorder|condition|illness|symptom|phenotype|syndrome|indication|"
    r"side effect|cancer",
    "PROCESS": r"biological process|process|pathway|(?:molecular |biological )?function|"
    r"signal(?:l)?ing pathway|metabolic pathway|cellular process|molecular activity",
    "ANATOMY": r"tissue|organ|cell type|cell|anatomical entity|cellular component",
    "ORGANISM": r"organism|species|pathogen|virus|bacterium|parasite",
    "VARIANT": r"variant|mutation|snp",
    "THING": r"entity|term|concept",
}
AFTER = {
    "GENE": r"genes?|proteins?|gene product|receptors?|enzymes?|kinases?|mrna|"
    r"(?:gene )?expression|transcription|levels",
    "CHEMICAL": r"treatment|therapy|use|exposure|administration|intake|pills?|tablets?",
    "DISEASE": r"patients?|disease|sufferers|syndrome",
    "PROCESS": r"pathway|process|signal(?:l)?ing|signal(?:l)?ing pathway",
    "ANATOMY": r"tissue|cells?",
}


def expand(pattern: str) -> str:
    """A cue with its ``{word}`` groups written out.

    :raises KeyError: a group that is not in the lexicon.

    >>> bool(re.search(expand("{symptom} of"), "signs of"))
    True
    """
    return _MACRO.sub(lambda match: rf"(?:\b(?:{LEXICON[match[1]]})\b)", pattern)
