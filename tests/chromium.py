"""A real headless Chromium, driven over a pipe by its own protocol (CDP): no driver, no port."""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--remote-debugging-pipe",
)  # fmt: skip
LONGEST = 30.0  # seconds for anything that a page is waited for


def find_chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


class BrowserError(Exception):
    """The page threw, or did not become what was waited for."""


class Browser:
    """One browser process; each tab is a context of its own."""

    def __init__(self, process: subprocess.Popen[bytes], to: int, back: int) -> None:
        self._process = process
        self._to = to
        self._back = os.fdopen(back, "rb", buffering=0)
        self._unread = b""
        self._numbers = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._next()
            if reply.get("id") == number:
                if "error" in reply:
                    raise BrowserError(f"{method}: {reply['error']['message']}")
                result: dict[str, Any] = reply["result"]
                return result
            self.events.append(reply)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            part = self._back.read(1 << 20)
            if not part:
                raise BrowserError("the browser has gone")
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        reply: dict[str, Any] = json.loads(message)
        return reply

    def tab(self, width: int = 1280, height: int = 900, *, touch: bool = False) -> Tab:
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)
        session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        tab = Tab(self, session["sessionId"], context)
        for domain in ("Page", "Runtime", "Network", "Log"):
            tab.call(f"{domain}.enable")
        tab.resize(width, height, touch=touch)
        return tab

    def close(self) -> None:
        try:
            self.call("Browser.close")
        except (BrowserError, OSError):
            self._process.kill()
        self._process.wait(10)
        os.close(self._to)
        self._back.close()


class Tab:
    """One page, with what a person does to it."""

    def __init__(self, browser: Browser, session: str, context: str) -> None:
        self._browser = browser
        self._session = session
        self.context = context

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **params)

    def resize(self, width: int, height: int, *, touch: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=touch,
        )  # fmt: skip
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=1)

    def media(self, **features: str) -> None:
        listed = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        self.call("Emulation.setEmulatedMedia", features=listed)

    def scripts(self, on: bool) -> None:
        self.call("Emulation.setScriptExecutionDisabled", value=not on)

    def open(self, url: str) -> None:
        loader = self.call("Page.navigate", url=url).get("loaderId")  # none within a document
        end = time.monotonic() + LONGEST
        while loader and self._loader() != loader and time.monotonic() < end:
            time.sleep(0.03)  # the page before is complete too
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def _loader(self) -> str:
        return str(self.call("Page.getFrameTree")["frameTree"]["frame"]["loaderId"])

    def js(self, expression: str) -> Any:
        """The value of an expression; awaited where it is a promise."""
        result = self.call(
            "Runtime.evaluate",
            expression=expression, returnByValue=True, awaitPromise=True, userGesture=True,
        )  # fmt: skip
        if "exceptionDetails" in result:
            raise BrowserError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def until(self, expression: str) -> Any:
        """Wait until an expression holds; its value (true where that is an element)."""
        asked = f"(v => v instanceof Node ? true : v)({expression})"
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            try:
                if value := self.js(asked):
                    return value
            except BrowserError as error:
                if "context" not in str(error):  # it navigates just now
                    raise
            time.sleep(0.03)
        raise BrowserError(f"never held: {expression}")

    def middle(self, selector: str) -> tuple[float, float]:
        """Where an element is on the screen, scrolled into view."""
        found = self.js(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        return found[0], found[1]

    def move(self, x: float, y: float) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def hover(self, selector: str) -> None:
        self.move(*self.middle(selector))

    def click(self, selector: str) -> None:
        x, y = self.middle(selector)
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, selector: str) -> None:
        x, y = self.middle(selector)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name: str, text: str = "") -> None:
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}
        said = text or {"Enter": "\r", " ": " "}.get(name, "")
        params = {"key": name, "code": name, "windowsVirtualKeyCode": codes.get(name, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=said, **params)
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)

    def type(self, text: str) -> None:
        self.until("document.activeElement.matches('input, textarea')")
        self.call("Input.insertText", text=text)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self) -> list[str]:
        """What the console, the policy and scripts had to say of what is wrong, and clears it."""
        self.js("1")
        said, kept = [], []
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                kept.append(event)
            elif told := _complaint(event):
                said.append(told)
        self._browser.events[:] = kept
        return said

    def close(self) -> None:
        self._browser.call("Target.disposeBrowserContext", browserContextId=self.context)


def _complaint(event: Mapping[str, Any]) -> str:
    params = event.get("params", {})
    if event.get("method") == "Runtime.exceptionThrown":
        return json.dumps(params["exceptionDetails"])[:400]
    if event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
        return str(params["entry"]["text"])
    if event.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
        return json.dumps(params["args"])[:400]
    return ""


@contextmanager
def browser(folder: Path, program: str, more: Sequence[str] = ()) -> Iterator[Browser]:
    """A browser with a new, empty profile in ``folder``."""
    read_there, write_here = os.pipe()
    read_here, write_there = os.pipe()
    command = [program, *FLAGS, f"--user-data-dir={folder}", *more, "about:blank"]
    # Chromium reads its commands from file 3 and answers on file 4.
    script = f'exec "$@" 3<&{read_there} 4>&{write_there}'
    process = subprocess.Popen(
        ["/bin/bash", "-c", script, "sh", *command],
        pass_fds=(read_there, write_there),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
    )
    os.close(read_there)
    os.close(write_there)
    made = Browser(process, write_here, read_here)
    try:
        yield made
    finally:
        made.close()
