"""Chromium without a window, by its debugging protocol over a pipe."""
import base64
import json
import os
import shutil
import subprocess
import tempfile


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One page of one browser. Every name of a host is unknown to it; what it reports (errors of scripts, what a policy refused) is in `complaints`."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        to_child, self.to = os.pipe()
        self.answers, from_child = os.pipe()
        # The protocol's descriptors are 3 and 4.
        command = 'exec "$0" "$@" 3<&{} 4>&{}'.format(to_child, from_child)
        self.process = subprocess.Popen(
            ["bash", "-c", command, chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
             "--remote-debugging-pipe", "--user-data-dir=" + self.profile],
            pass_fds=(to_child, from_child), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.rest, self.last, self.complaints, self.session, self.loaded = b"", 0, [], None, False
        self.asked = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.to)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.rest += part
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def hear(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        if method == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        if method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(params["entry"]["text"])
        if method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])

    def call(self, method, **params):
        self.last += 1
        request = {"id": self.last, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.hear(answer)

    def width(self, width, height=1000, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media)

    def scripts(self, run):
        self.call("Emulation.setScriptExecutionDisabled", value=not run)

    def open(self, address):
        self.loaded = False
        self.call("Page.navigate", url=address)
        while not self.loaded:
            self.hear(self.message())

    def value(self, expression):
        """Of an expression in the page; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, expression):
        """Until it holds in the page, as the page's own clock ticks."""
        return self.value("new Promise((yes, no) => { let left = 200; const look = () => { if (%s) yes(true); else if (--left < 0) yes(false); "
                          "else setTimeout(look, 50); }; look(); })" % expression)

    def picture(self, path, height=None):
        clip = {} if height is None else {"clip": {"x": 0, "y": 0, "width": self.value("innerWidth"), "height": height, "scale": 1}}
        kind = "webp" if path.endswith(".webp") else "png"
        quality = {"quality": 70} if kind == "webp" else {}
        data = self.call("Page.captureScreenshot", format=kind, captureBeyondViewport=True, **quality, **clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def paper(self):
        """The page as a PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
