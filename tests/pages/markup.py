"""Parsers that refuse what browsers forgive: of HTML pages that rpl writes, and of SVG."""
import xml.etree.ElementTree
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
SVG = "{http://www.w3.org/2000/svg}"


def faults_of_svg(text):
    """What is wrong with an SVG document: nothing where expat takes it and its root is svg."""
    try:
        root = xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError as error:
        return [f"not well-formed: {error}"]
    return [] if root.tag == SVG + "svg" else [f"the root is {root.tag}"]


class Page(HTMLParser):
    """Every element is closed where it has to be, names are unique, links lead somewhere, nothing is loaded, SVG is XML."""

    def __init__(self, text, served=False):
        super().__init__(convert_charrefs=False)
        self.faults, self.open, self.ids, self.links, self.scripts = [], [], set(), [], 0
        self.served, self.text, self.picture = served, text, None
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"not closed: {self.open}")
        for link in self.links:
            if link.startswith("#") and link[1:] not in self.ids:
                self.faults.append(f"{link} leads nowhere")

    def fault(self, what):
        line, column = self.getpos()
        self.faults.append(f"{line}:{column}: {what}")

    def place(self):
        line, column = self.getpos()
        if not hasattr(self, "starts"):
            self.starts = [0]
            for one in self.text.split("\n"):
                self.starts.append(self.starts[-1] + len(one) + 1)
        return self.starts[line - 1] + column

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.fault(f"an attribute of {tag} stands there twice")
        for name, value in attributes:
            if name.startswith("on"):
                self.fault(f"{tag} runs something: {name}")
            if name == "id":
                if value in self.ids:
                    self.fault(f"id {value} stands there twice")
                self.ids.add(value)
            if name == "src" or (name == "href" and tag == "link"):
                if not (self.served and value.startswith("/")):
                    self.fault(f"{tag} loads {value}")
            if name == "href" and tag == "a":
                self.links.append(value)
                if not value.startswith(("#", "/")):
                    self.fault(f"a leads to {value}")
        if tag == "script":
            self.scripts += 1
        if tag == "svg" and self.picture is None:
            self.picture = self.place()
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.fault(f"</{tag}> within {self.open[-3:]}")
            return
        self.open.pop()
        if tag == "svg" and "svg" not in self.open:
            end = self.text.index("</svg>", self.place()) + len("</svg>")
            self.faults += faults_of_svg(self.text[self.picture:end])
            self.picture = None

    def handle_data(self, data):
        if "<" in data and not (self.open and self.open[-1] in ("script", "style")):
            self.fault(f"a raw < in {data[:40]!r}")

    def unknown_decl(self, data):
        self.fault(f"a declaration: {data[:40]}")

    def handle_comment(self, data):
        self.fault("a comment")


def faults_of_page(text, served=False):
    if not text.startswith("<!DOCTYPE html>"):
        return ["no doctype"]
    return Page(text, served).faults
