/** The few things that the script does to elements. Texts are only ever set as text, never as markup. */

const SVG = 'http://www.w3.org/2000/svg';

export const byId = <E extends Element = HTMLElement>(id: string): E => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found as unknown as E;
};

type Attributes = Readonly<Record<string, string>>;

const filled = <E extends Element>(element: E, attributes: Attributes, children: readonly (Node | string)[]): E => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

export const make = (tag: string, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElement =>
  filled(document.createElement(tag), attributes, children);

export const draw = (tag: string, attributes: Attributes = {}, ...children: Node[]): SVGElement =>
  filled(document.createElementNS(SVG, tag), attributes, children);

/** Sets what differs only, so that the browser lays out nothing that stays. */
export function put(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/** The text of an element that holds nothing else; its one text node stays. */
export function say(element: Element, text: string): void {
  if (element.textContent === text) return;
  const node = element.firstChild;
  if (node instanceof Text && node.nextSibling === null) node.data = text;
  else element.textContent = text;
}

/** A number as it is read, and in full as the element's value. */
export function show(element: Element, value: number | null, text: string): void {
  if (value === null) element.removeAttribute('value');
  else put(element, { value: String(value) });
  say(element, value === null ? '–' : text);
}

export function reveal(element: HTMLElement | SVGElement, isShown: boolean): void {
  if (element.hasAttribute('hidden') === isShown) element.toggleAttribute('hidden', !isShown);
}
