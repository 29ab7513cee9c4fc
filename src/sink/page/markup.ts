/**
 * Pages from templates: every interpolated value is escaped as text, unless it was made here. Column names are data,
 * and data are never trusted.
 */

/** Text that is already HTML. */
export interface Markup {
  readonly markup: string;
}

export type Content = string | Markup | readonly Content[];

/** html`<p>${words}</p>`: the only way to make markup from values. */
export const html = (literals: TemplateStringsArray, ...values: readonly Content[]): Markup => ({
  markup: literals.reduce((page, literal, k) => page + markupOf(values[k - 1]!) + literal),
});

function markupOf(content: Content): string {
  if (typeof content === 'string') return escaped(content);
  return 'markup' in content ? content.markup : content.map(markupOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For the text of an element, and for an attribute in quotes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => ENTITIES[sign]!);

/** A name from the data: it may be written in either direction, and be of any length. */
export const nameMark = (name: string): Markup => html`<bdi>${name}</bdi>`;

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Content;
}

export const section = ({ id, title, body }: Section): Markup =>
  html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`;

/** Terms and their descriptions. */
export const factList = (facts: readonly (readonly [term: Content, description: Content])[]): Markup =>
  html`<dl>
${facts.map(([term, description]) => html`<div><dt>${term}</dt><dd>${description}</dd></div>\n`)}</dl>
`;

export const sentences = (texts: readonly string[]): Markup =>
  html`<ul>
${texts.map(text => html`<li>${text}</li>\n`)}</ul>
`;
