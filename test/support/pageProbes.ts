/** Questions to a page in a browser, as the browser's own scripts: the compiler knows no browser. */

/** Elements that reach beyond the right edge of the window, and by how much the page can be scrolled sideways. */
export const OVERFLOW = `({
  scroll: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  beyond: [...document.querySelectorAll('body *')]
    .filter(element => element.getBoundingClientRect().right > innerWidth + 0.5)
    .map(element => element.tagName + '.' + (element.getAttribute('class') ?? '')),
})`;

/** The contrast (WCAG 2) of every text, and of every mark of a picture, with what is behind it. */
export const CONTRASTS = `(() => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map(value => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const contrast = (element, colour) => {
    const [light, dark] = [luminance(channels(colour)), luminance(behind(element))].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const inSvg = element => element.namespaceURI.endsWith('svg');
  const named = element => element.tagName + '.' + (element.getAttribute('class') ?? '') + ' ' + element.textContent.trim().slice(0, 30);
  const texts = [...document.querySelectorAll('body *')]
    .filter(element => [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim() !== ''))
    .map(element => {
      const { color, fill } = getComputedStyle(element);
      return { what: named(element), contrast: contrast(element, inSvg(element) ? fill : color) };
    });
  const marks = [...document.querySelectorAll('svg circle, svg .interval, svg .joint, svg .path, svg .floor, svg .zero')]
    .map(element => {
      const { fill, stroke } = getComputedStyle(element);
      // A dot is filled, or else hollow with a rim.
      const seen = element.tagName === 'circle' ? [fill, stroke] : [stroke];
      return { what: named(element), contrast: Math.max(...seen.map(colour => contrast(element, colour))) };
    });
  return { texts, marks };
})()`;

/** Where the parts of every coefficient's strip are drawn, from its line of zero. */
export const STRIPS = `[...document.querySelectorAll('.coefficients tbody tr')].map(row => {
  const middle = element => {
    const { left, right } = element.getBoundingClientRect();
    return (left + right) / 2;
  };
  const zero = middle(row.querySelector('.zero'));
  const interval = row.querySelector('.interval');
  const box = row.querySelector('svg').getBoundingClientRect();
  const end = name => box.left + interval[name].baseVal.value - zero;
  return {
    name: row.querySelector('th').textContent,
    values: [...row.querySelectorAll('data')].map(data => Number(data.value)),
    texts: [...row.querySelectorAll('data')].map(data => data.innerText),
    estimate: middle(row.querySelector('circle')) - zero,
    low: end('x1'),
    high: end('x2'),
    width: box.width,
  };
})`;

/** The heights of the marks of the convergence chart. */
export const NORM_HEIGHTS = `[...document.querySelectorAll('.plot circle')].map(mark => {
  const { top, bottom } = mark.getBoundingClientRect();
  return (top + bottom) / 2;
})`;
