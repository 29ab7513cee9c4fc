import { expect } from 'chai';
import { html } from '../../../src/sink/page/markup.ts';

describe('html', () => {
  it('escapes whatever could be more than text, in elements and in attributes', () => {
    expect(html`<p title="${`"'`}">${'a < b && c > d'}</p>`.markup).to.equal(
      '<p title="&quot;&#39;">a &lt; b &amp;&amp; c &gt; d</p>',
    );
  });

  it('keeps what was made by it, and joins lists', () => {
    const items = ['<1>', '<2>'].map(text => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>${''}`.markup).to.equal('<ul><li>&lt;1&gt;</li><li>&lt;2&gt;</li></ul>');
  });
});
