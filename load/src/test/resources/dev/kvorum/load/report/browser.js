'use strict';
// As much of a browser as the page needs: a tree of elements, which is never laid out. PAGE_DATA comes from the test.

class Element {
  constructor(name) { this.name = name; this.attributes = {}; this.children = []; this.listeners = {}; this.style = {}; this.parent = null; }
  setAttribute(key, value) { this.attributes[key] = String(value); }
  addEventListener(type, listener) { this.listeners[type] = listener; }
  append(...added) {
    for (const node of added) {
      if (node instanceof Element) { node.remove(); node.parent = this; }
      this.children.push(node instanceof Element ? node : String(node));
    }
  }
  remove() {
    if (this.parent !== null) this.parent.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = null;
  }
  replaceChildren() { this.children.filter(child => child instanceof Element).forEach(child => child.remove()); this.children = []; }
  querySelector(name) { return this.all(name)[0] ?? null; }
  getBoundingClientRect() { return {left: 0, top: 0}; }
  set textContent(text) { this.children = [String(text)]; }
  get textContent() { return this.children.map(child => child instanceof Element ? child.textContent : child).join(''); }
  get clientWidth() { return 800; }
  get offsetWidth() { return 120; }
  get offsetLeft() { return 0; }
  get value() { return this.attributes.value ?? this.children[0].value; }
  all(name) { return this.children.filter(child => child instanceof Element).flatMap(child => [...(child.name === name ? [child] : []), ...child.all(name)]); }
  send(type, event = {}) { this.listeners[type](event); }
}

const page = new Element('main');
const data = new Element('script');
data.textContent = PAGE_DATA;
globalThis.document = {
  title: '',
  createElement: name => new Element(name),
  createElementNS: (_, name) => new Element(name),
  getElementById: id => ({page, data})[id],
};
globalThis.window = {addEventListener: () => {}};
globalThis.browser = {
  title: () => document.title,
  texts: name => page.all(name).map(one => one.textContent),
  // What a line or a bar is drawn by: a figure that could not be computed makes one of these no number.
  attributes: name => page.all(name).flatMap(one => Object.entries(one.attributes).map(([key, value]) => `${key}=${value}`)),
  click: text => page.all('button').find(one => one.textContent === text).send('click'),
  choose: index => { const select = page.all('select')[0]; select.attributes.value = String(index); select.send('change'); },
  pointAt: (chart, x) => page.all('svg').find(one => one.attributes['aria-label'] === chart).send('mousemove', {clientX: x}),
};
