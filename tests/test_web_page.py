"""The page over HTTP, as a browser without scripts gets it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from federated import GENE_QUESTION
from page_support import FABRY, HOSTILE, PCSK9, PULMONARY, address, hostile_facts, live
from web_api_support import IMATINIB, NOT_RECORDED, UNKNOWN, Reply, Served, demo, wait_until

import fedrag
from fedrag.datamodel import Answer
from fedrag.export.forms import FORMS, render
from fedrag.export.json import publication_url
from fedrag.testing import Federation
from fedrag.web.page import routes
from fedrag.web.page.render import asset, asset_name
from fedrag.web.page.request import address as address_of
from fedrag.web.page.request import asked

EVENTS = "text/event-stream"


class Parsed(HTMLParser):
    """Start tags with their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.parts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.parts).split())

    def values(self, tag: str, attribute: str) -> list[str]:
        return [a[attribute] or "" for t, a in self.tags if t == tag and attribute in a]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with demo() as running:
        yield running


@pytest.fixture(scope="module")
def imatinib(served: Served) -> Parsed:
    return page(served.get(address(IMATINIB)))


@pytest.fixture(scope="module")
def linked() -> Answer:
    return fedrag.ask(PCSK9, replay="demo", log=False)


def page(reply: Reply, status: int = 200) -> Parsed:
    assert reply.status == status
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    return Parsed(reply.body.decode())


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine does not make a page begin before its answer; tests of that say so."""
    monkeypatch.setattr(routes, "GRACE", 30.0)


def without_seconds(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b|\b\d\.\d\d\b|\d\d:\d\d:\d\dZ", "", text)


# --- the form -----------------------------------------------------------------------------------


def test_the_form_is_there_and_says_that_a_replay_is_one(served: Served) -> None:
    parsed = page(served.get("/"))
    assert ("form", "get") in [(tag, attrs.get("method")) for tag, attrs in parsed.tags]
    assert "Recorded, not live." in parsed.text
    assert "no answer" not in parsed.text.lower()


def test_its_examples_are_questions_that_the_recording_answers(served: Served) -> None:
    hrefs = [attrs["href"] or "" for _, attrs in page(served.get("/")).tags if "data-ask" in attrs
             and "href" in attrs]  # fmt: skip
    asked_ = [parse_qs(urlsplit(href).query)["q"][0] for href in hrefs]
    assert sorted(asked_) == list(served.desk.session.recorded_questions)


@pytest.mark.parametrize("query", ["", "?q=", "?q=%20%20", "?only=bte", "?entity=a%3Db"])
def test_without_a_question_there_is_the_form_and_nothing_is_asked(
    served: Served, query: str
) -> None:
    assert "data-answer" not in served.get(f"/{query}").body.decode()


# --- the answer, without a script ----------------------------------------------------------------


def test_the_text_of_the_answer_is_whole_in_the_markup(imatinib: Parsed) -> None:
    answer = fedrag.ask(IMATINIB, replay="demo", log=False)
    shown = imatinib.text.replace(" ", "")
    for line in answer.text.splitlines():
        assert re.sub(r"^\d+\.", "", line).replace(" ", "") in shown


def test_every_key_leads_to_its_evidence(imatinib: Parsed) -> None:
    ids = {attrs.get("id") for _, attrs in imatinib.tags}
    keys = [attrs["href"] or "" for tag, attrs in imatinib.tags
            if tag == "a" and attrs.get("class") == "key"]  # fmt: skip
    assert {key.removeprefix("#") for key in keys} == {"E1", "E2", "E3", "E4"}
    assert {key.removeprefix("#") for key in keys} <= ids


def test_evidence_shows_its_edge_sources_publications_and_whole_passport(
    served: Served, linked: Answer
) -> None:
    parsed = page(served.get(address(PCSK9)))
    hrefs = set(parsed.values("a", "href"))
    for edge in (edge for item in linked.evidence for edge in item.edges):
        for said in (edge.id, edge.predicate, edge.subject.curie, edge.object.curie):
            assert said in parsed.text
        for source in edge.sources:
            assert source.resource_id in parsed.text
        assert set(edge.record_urls) <= hrefs
        assert {publication_url(one) for one in edge.cited_by_record} <= hrefs
    assert any(href.startswith("https://pubmed.ncbi.nlm.nih.gov/") for href in hrefs)


def test_candidates_are_all_there_with_what_makes_their_scores(
    served: Served, linked: Answer
) -> None:
    text = page(served.get(address(PCSK9))).text
    assert all(candidate.name in text for candidate in linked.candidates)
    assert f"{len(linked.candidates) - 10} more candidates" in text
    assert all(line.label in text for line in linked.candidates[0].explanation)


def test_the_plan_is_shown_as_the_trapi_query_that_is_sent(served: Served) -> None:
    raw = served.get(address(IMATINIB)).body.decode()
    found = re.search(r'<pre id="trapi-query"[^>]*>(.*?)</pre>', raw, re.DOTALL)
    assert found
    graph = json.loads(unescape(found[1]))["message"]["query_graph"]
    plan = fedrag.ask(IMATINIB, replay="demo", log=False).to_dict()["plan"]
    assert graph == plan["query_graph"]


def test_each_service_is_in_the_table_with_its_state_and_reason(imatinib: Parsed) -> None:
    answer = fedrag.ask(IMATINIB, replay="demo", log=False)
    for report in answer.services:
        assert (report.title if report.calls else report.service) in imatinib.text
        assert report.reason in imatinib.text
    assert "skipped chembl, civic, ctd" in imatinib.text


def test_a_dead_service_is_told_beside_the_answer_of_the_others() -> None:
    with Federation(kps=1) as world:
        world.fault("kp1", "500")
        with live(world) as running:
            text = page(running.get(address(GENE_QUESTION))).text
    assert "SLC12A3" in text
    assert "partial" in text
    assert "unavailable" in text


def test_no_evidence_is_an_answer_that_says_so(served: Served) -> None:
    text = page(served.get(address("What are the side effects of imatinib?"))).text
    assert "abstained" in text
    assert "0 sentences of evidence" in text


# --- choosing identifiers and services -----------------------------------------------------------


def test_what_else_a_mention_may_mean_can_be_chosen_and_asked_again(served: Served) -> None:
    parsed = page(served.get(address(PULMONARY)))
    options = [value for value in parsed.values("option", "value") if value]
    entity = fedrag.ask(PULMONARY, replay="demo", log=False).entities[0]
    assert options == [candidate.curie for candidate in entity.candidates]
    assert "pin:pulmonary hypertension" in parsed.values("select", "name")


def test_a_chosen_identifier_is_what_is_then_asked_for() -> None:
    with Federation() as world, live(world) as running:
        question = "What are the targets of imatinib?"
        other = ("pin:imatinib", "DRUGBANK:DB00203")
        text = page(running.get(address(question, other))).text
        written = page(running.get(address(question, ("entity", "imatinib=DRUGBANK:DB00203")))).text
    assert "sildenafil" in text.lower()
    assert "pinned" in text
    assert "PDE5A" in text
    assert without_seconds(text) == without_seconds(written)


def test_the_chosen_services_alone_are_asked() -> None:
    with Federation(kps=2) as world, live(world) as running:
        page(running.get(address(GENE_QUESTION, ("only", "kp1"))))
        asked_ = {call.service for call in world.calls if call.path.endswith("/query")}
        assert asked_ == {"kp1"}
        world.calls.clear()
        page(running.get(address(GENE_QUESTION, ("exclude", "kp1"))))
        asked_ = {call.service for call in world.calls if call.path.endswith("/query")}
        assert asked_ == {"bte", "kp2"}


def test_an_address_is_read_back_as_what_it_was_written_from() -> None:
    fields = [
        ("q", "  what  is a=b & c? "),
        ("entity", "a=b=MONDO:1"),
        ("pin:c & d", "CHEBI:2"),
        ("pin:c & d", ""),
        ("entity", "nothing"),
        ("only", "bte"),
        ("exclude", "string"),
        ("exclude", "ctd"),
        ("template", "t"),
    ]
    request = asked(fields)
    assert request is not None
    assert request.question == "what is a=b & c?"
    assert dict(request.pins) == {"a=b": "MONDO:1", "c & d": "CHEBI:2"}
    assert (request.only, request.exclude, request.template) == (("bte",), ("ctd", "string"), "t")
    written = parse_qs(urlsplit(address_of(request)).query)
    assert asked([(k, v) for k, values in written.items() for v in values]) == request


# --- what fails ---------------------------------------------------------------------------------


def test_an_unknown_entity_is_told_and_can_be_given_an_identifier(served: Served) -> None:
    parsed = page(served.get(address(UNKNOWN)), 422)
    assert "nothing was found for 'zorbalixinib'" in parsed.text
    assert "pin:zorbalixinib" in parsed.values("input", "name")
    assert "--entity" not in parsed.text


def test_a_misspelt_entity_has_its_neighbours_as_questions() -> None:
    from fedrag.errors import UnresolvedEntityError
    from fedrag.web.page.views import error_view

    request = asked([("q", "targets of imatnib?")])
    error = UnresolvedEntityError("?", mention="imatnib", nearest=("imatinib", "<b>"))
    meant = dict(error_view(error, request)["meant"])
    assert meant["imatinib"] == "./?q=targets+of+imatinib%3F"
    assert meant["<b>"] == "./?q=targets+of+%3Cb%3E%3F"


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        (address(NOT_RECORDED), 422, "the cassette holds no such call"),
        (address("x" * 3_000), 400, "characters"),
        (address(IMATINIB, ("only", "nosuch")), 400, "nosuch"),
        (address(IMATINIB, ("template", "nosuch")), 422, "nosuch"),
    ],
)
def test_an_error_is_a_page_with_its_status_and_the_question_kept(
    served: Served, query: str, status: int, said: str
) -> None:
    reply = served.get(query)
    parsed = page(reply, status)
    assert said in parsed.text
    assert parse_qs(query[2:])["q"][0] in parsed.values("input", "value")


def test_a_question_outside_a_recording_is_told_which_it_holds_as_links(served: Served) -> None:
    parsed = page(served.get(address(NOT_RECORDED)), 422)
    assert "This recording holds these questions" in parsed.text
    links = {href for href in parsed.values("a", "href") if href}
    for question in served.desk.session.recorded_questions:
        assert f".{address(question)}" in links


# --- names from outside ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile() -> Iterator[Served]:
    with Federation(hostile_facts()) as world, live(world) as running:
        yield running


def test_hostile_names_stay_text(hostile: Served) -> None:
    reply = hostile.get(address(FABRY))
    parsed = page(reply)
    tags = {tag for tag, _ in parsed.tags}
    assert parsed.values("script", "src") == [f"assets/{asset_name('page.js')}"]
    assert "img" not in tags
    assert not any(name.startswith("on") for _, attrs in parsed.tags for name in attrs)
    assert HOSTILE[0] in parsed.text
    assert "{{ 7 * 7 }}" in parsed.text
    assert "\u202e" not in reply.body.decode()
    assert "\0" not in reply.body.decode()


def test_only_web_addresses_become_links(hostile: Served) -> None:
    hrefs = page(hostile.get(address(FABRY))).values("a", "href")
    foreign = [href for href in hrefs if not href.startswith(("#", "./", "download/"))]
    assert {urlsplit(href).scheme for href in foreign} == {"https"}
    assert "https://example.org/<script>" in foreign


def test_a_hostile_question_stays_text(served: Served) -> None:
    question = '"><script>alert(1)</script> what?'
    raw = served.get(address(question)).body.decode()
    assert "<script>alert" not in raw
    assert "&lt;script&gt;alert(1)" in raw


def test_the_page_has_nothing_that_its_policy_forbids(served: Served) -> None:
    for path in ("/", address(PCSK9), address(UNKNOWN)):
        reply = served.get(path)
        parsed = Parsed(reply.body.decode())
        assert not [attrs for _, attrs in parsed.tags if "style" in attrs]
        assert "style" not in {tag for tag, _ in parsed.tags}
        sources = parsed.values("script", "src") + parsed.values("link", "href")
        assert all(source.startswith("assets/") for source in sources)
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "unsafe" not in reply.headers["content-security-policy"]


# --- other sites ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/download/json"])
def test_a_question_that_another_site_sends_waits_for_a_press_of_ask(path: str) -> None:
    with Federation() as world, live(world) as running:
        reply = running.get(
            address(GENE_QUESTION, path=path),
            sec_fetch_site="cross-site", sec_fetch_mode="navigate", sec_fetch_dest="document",
        )  # fmt: skip
        assert world.calls == []
    parsed = page(reply)
    assert "Press Ask" in parsed.text
    assert GENE_QUESTION in parsed.values("input", "value")


def test_a_question_from_the_page_itself_is_asked(served: Served) -> None:
    reply = served.get(address(IMATINIB), sec_fetch_site="same-origin", sec_fetch_mode="navigate")
    assert b"data-answer" in reply.body


# --- while it is asked --------------------------------------------------------------------------


def test_a_slow_answer_comes_behind_the_form_with_its_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(routes, "GRACE", 0.05)
    with Federation() as world, live(world) as running:
        world.delay(0.4, "bte", "nodenorm")
        connection = running.connect()
        with connection:
            sent = f"GET {address(GENE_QUESTION)} HTTP/1.1\r\nhost: localhost\r\n\r\n"
            connection.sendall(sent.encode())
            early = b""
            while b"Asking the services" not in early:
                early += connection.recv(65_536)
            assert b"data-answer" not in early
            late = early
            while b"</html>" not in late:
                late += connection.recv(65_536)
    text = late.decode()
    assert text.index("<p>recognising entities</p>") < text.index("data-answer")
    assert "SLC12A3" in text
    assert text.count("</main>") == 1


def test_an_error_behind_the_form_is_told_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "GRACE", 0.05)
    with Federation() as world, live(world) as running:
        world.delay(0.6, "nameres")
        parsed = page(running.get(address("What are the targets of zorbalixinib?")))
    assert "nothing was found for 'zorbalixinib'" in parsed.text


def test_a_fault_of_our_own_behind_the_form_still_ends_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(*_: object, **__: object) -> None:
        await asyncio.sleep(0.2)
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr(routes, "GRACE", 0.05)
    with demo() as running:
        monkeypatch.setattr(running.desk, "ask", broken)
        sent = f"GET {address(IMATINIB)} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        raw = running.raw(sent.encode()).decode()
    assert "internal error" in raw
    assert "</html>" in raw
    assert "secret" not in raw


@pytest.mark.parametrize(("accept", "grace"), [("text/html", 0.05), ("text/html", 9), (EVENTS, 9)])
def test_the_calls_end_when_the_browser_goes(
    monkeypatch: pytest.MonkeyPatch, accept: str, grace: float
) -> None:
    monkeypatch.setattr(routes, "GRACE", grace)
    with Federation() as world, live(world) as running:
        world.delay(20.0, "bte")
        with running.connect() as connection:
            head = f"GET {address(GENE_QUESTION)} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}"
            connection.sendall(f"{head}\r\n\r\n".encode())
            wait_until(lambda: len(world.calls_of("nodenorm")) > 0)
            time.sleep(0.3)  # past the moment that a page begins without its answer
        wait_until(lambda: running.desk.turns.free == running.desk.limits.at_once, seconds=5)


def test_as_events_the_page_comes_after_its_progress() -> None:
    with Federation() as world, live(world) as running:
        reply = running.get(address(GENE_QUESTION), accept=EVENTS)
    assert reply.headers["content-type"].startswith(EVENTS)
    kinds = [kind for kind, _ in reply.events()]
    assert kinds[-1] == "answer"
    assert set(kinds[:-1]) == {"progress"}
    assert reply.events()[0][1] == {"line": "recognising entities"}
    told = reply.events()[-1][1]
    assert told["address"] == f".{address(GENE_QUESTION)}"
    assert told["title"].startswith(GENE_QUESTION)
    assert "data-answer" in told["html"]
    assert "<html" not in told["html"]


def test_as_events_an_error_is_a_page_too(served: Served) -> None:
    (kind, told), *_ = reversed(served.get(address(UNKNOWN), accept=EVENTS).events())
    assert kind == "answer"
    assert "nothing was found for" in told["html"]


# --- downloads and assets ------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(FORMS))
def test_an_answer_can_be_had_in_every_form(served: Served, linked: Answer, form: str) -> None:
    reply = served.get(address(PCSK9, path=f"/download/{form}"))
    kinds = reply.headers["content-type"], FORMS[form].media_type
    assert (reply.status, kinds[0].partition(";")[0]) == (200, kinds[1].partition(";")[0])
    name = f"fedrag-what-links-pcsk9-and-hypercholesterolemia{FORMS[form].suffix}"
    assert reply.headers["content-disposition"] == f'attachment; filename="{name}"'
    first = render(linked, form).encode()[:200]
    assert reply.body[:200] == first != b""


def test_a_download_does_not_ask_again_what_is_shown() -> None:
    with Federation() as world, live(world) as running:
        page(running.get(address(GENE_QUESTION)))
        before = len(world.calls)
        reply = running.get(address(GENE_QUESTION, path="/download/json"))
        assert len(world.calls) == before
    assert reply.json()["answer"]["name"] == "SLC12A3"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/download/pdf?q=x", 404),
        ("/download/json", 400),
        ("/download/json?q=zorbalixinib%3F", 422),
        ("/assets/nosuch.js", 404),
        ("/assets/..%2froutes.py", 404),
    ],
)
def test_what_is_not_there_is_a_clear_error(served: Served, path: str, status: int) -> None:
    reply = served.get(path)
    assert reply.status == status
    assert reply.error()["message"]


def test_assets_are_small_and_kept_for_good_under_the_mark_of_their_content(
    served: Served,
) -> None:
    total = 0
    for name in ("page.css", "page.js", "icon.svg"):
        reply = served.get(f"/assets/{asset_name(name)}")
        assert reply.status == 200
        assert "immutable" in reply.headers["cache-control"]
        assert asset(name) == (reply.body, reply.headers["content-type"])
        total += len(reply.body)
    assert total < 60_000  # the limit is a million


def test_a_page_may_be_gone_back_to_but_is_not_shared(served: Served) -> None:
    reply = served.get(address(IMATINIB))
    assert reply.headers["cache-control"] == "private, no-cache"
    assert reply.headers["vary"] == "Accept"
