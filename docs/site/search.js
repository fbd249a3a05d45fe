// Search without a server: search-index.js holds the text of every section, and is read when it is first needed.
'use strict';
(() => {
  const root = document.documentElement.dataset.root;
  const box = document.getElementById('search');
  const list = document.getElementById('found');
  const most = 40;
  let loading = null;

  function load() {
    loading ??= new Promise((done, failed) => {
      const script = document.createElement('script');
      script.src = root + 'search-index.js';
      script.onload = () => done(window.rplSections.map(
        ([page, anchor, title, heading, text]) => ({page, anchor, title, heading, text,
                                                   low: {title: title.toLowerCase(), heading: heading.toLowerCase(), text: text.toLowerCase()}})));
      script.onerror = failed;
      document.head.append(script);
    });
    return loading;
  }

  // Where `word` stands in `text`: at the beginning of a word counts more than inside of one.
  function worth(text, word) {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    return at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1]) ? 2 : 1;
  }

  function score(section, words) {
    let sum = 0;
    for (const word of words) {
      const found = 12 * worth(section.low.heading, word) + 6 * worth(section.low.title, word) + worth(section.low.text, word);
      if (found === 0) return 0;
      sum += found;
    }
    if (words.length > 1 && section.low.text.includes(words.join(' '))) sum += 8;
    return sum;
  }

  // Text with the words marked, as nodes: nothing of the index is ever taken as HTML.
  function marked(text, words) {
    const parts = document.createDocumentFragment();
    const low = text.toLowerCase();
    let at = 0;
    while (at < text.length) {
      let next = text.length, length = 0;
      for (const word of words) {
        const found = low.indexOf(word, at);
        if (found >= 0 && found < next) { next = found; length = word.length; }
      }
      parts.append(text.slice(at, next));
      if (length > 0) {
        const mark = document.createElement('mark');
        mark.textContent = text.slice(next, next + length);
        parts.append(mark);
      }
      at = next + length;
    }
    return parts;
  }

  function excerpt(section, words) {
    const at = Math.max(0, Math.min(...words.map((word) => section.low.text.indexOf(word)).filter((place) => place >= 0), Infinity));
    const from = Number.isFinite(at) ? Math.max(0, at - 60) : 0;
    return (from > 0 ? '… ' : '') + section.text.slice(from, from + 200) + (from + 200 < section.text.length ? ' …' : '');
  }

  function entry(section, words) {
    const link = document.createElement('a');
    link.href = root + section.page + (section.anchor ? '#' + section.anchor : '');
    const name = document.createElement('b');
    name.append(marked(section.heading === section.title ? section.title : section.title + ' › ' + section.heading, words));
    const text = document.createElement('span');
    text.append(marked(excerpt(section, words), words));
    link.append(name, text);
    return link;
  }

  function show(sections, words) {
    const found = sections.map((section) => [score(section, words), section]).filter(([points]) => points > 0);
    found.sort((a, b) => b[0] - a[0]);
    const count = document.createElement('p');
    count.textContent = found.length === 0 ? 'Nothing has all of these words.' :
      found.length > most ? `${most} of ${found.length} sections` : `${found.length} section${found.length === 1 ? '' : 's'}`;
    list.replaceChildren(count, ...found.slice(0, most).map(([, section]) => entry(section, words)));
    list.hidden = false;
  }

  function look() {
    const words = box.value.toLowerCase().split(/\s+/).filter((word) => word.length > 0);
    if (words.length === 0) {
      list.hidden = true;
      list.replaceChildren();
      return;
    }
    load().then((sections) => show(sections, words), () => { list.textContent = 'search-index.js is missing.'; list.hidden = false; });
  }

  box.addEventListener('input', look);
  box.addEventListener('focus', load);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    } else if (event.key === 'Escape') {
      box.value = '';
      look();
    } else if (event.key === 'Enter' && document.activeElement === box) {
      list.querySelector('a')?.click();
    }
  });
  document.addEventListener('click', (event) => {
    if (!list.contains(event.target) && event.target !== box) list.hidden = true;
  });

  // On a phone the list of pages would stand before the text.
  if (matchMedia('(max-width: 52rem)').matches) document.querySelector('#pages details').open = false;

  const asked = new URLSearchParams(location.search).get('q');
  if (asked) {
    box.value = asked;
    look();
  }
})();
