"""An `rpl serve` of its own, and requests to it as bytes."""
import os
import re
import signal
import socket
import subprocess


class Server:
    def __init__(self, rpl, *arguments, before=(), options=()):
        lines = []
        for line in before:
            lines += ["-ex", line]
        # The prompt's way, so that lines in the background may run beside it.
        command = [rpl, "-nx", *options, "-q", "-batch", *lines, "-ex", " ".join(["serve", *arguments])]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env=dict(os.environ, LC_ALL="C.UTF-8"))
        self.said = ""
        while True:
            line = self.process.stdout.readline()
            self.said += line
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", line)
            if found:
                break
            if not line:
                raise RuntimeError("it does not serve: " + self.said)
        self.url, self.port, self.token = found.group(0), int(found.group(1)), found.group(2)
        self.base = f"http://127.0.0.1:{self.port}"

    def bytes(self, text, half_close=False):
        """What comes back for these bytes, to the end of the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as one:
            one.sendall(text)
            if half_close:
                one.shutdown(socket.SHUT_WR)
            out = b""
            while True:
                try:
                    part = one.recv(1 << 16)
                except ConnectionResetError:
                    return out
                if not part:
                    return out
                out += part

    def ask(self, path, method="GET", host=None, cookie=True, headers=(), body=b""):
        """Status, headers and body of one request."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", "Connection: close", *headers]
        if cookie:
            lines.append(f"Cookie: other=1; rpl-{self.port}={self.token if cookie is True else cookie}")
        if body:
            lines.append(f"Content-Length: {len(body)}")
        answer = self.bytes("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        head, _, rest = answer.partition(b"\r\n\r\n")
        if not head:
            return 0, {}, ""
        first, *fields = head.decode().split("\r\n")
        return int(first.split()[1]), dict(field.split(": ", 1) for field in fields), rest.decode()

    def end(self, how=signal.SIGINT):
        """Its status and what it said."""
        self.process.send_signal(how)
        rest, _ = self.process.communicate(timeout=60)
        return self.process.returncode, self.said + rest

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
