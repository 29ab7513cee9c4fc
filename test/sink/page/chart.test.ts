import { expect } from 'chai';
import { type Chart, chartPng, chartSvg } from '../../../src/sink/page/chart.ts';

const line = (series: string, level: number) =>
  [0, 1, 2].map(x => ({ series, x, median: level - x, q25: level - x - 0.5, q75: level - x + 0.5 }));

const chart: Chart = {
  title: 'Two <methods>',
  subtitle: 'planted',
  x: 'n',
  y: 'log error',
  panels: [{ title: 'first', points: [...line('FAST a=1', 1), ...line('SLOW a=1', 2), ...line('FAST a=2', 3)] }],
};

const attributes = (svg: string, pattern: RegExp): string[] => [...svg.matchAll(pattern)].map(match => match[1]!);

describe('chartSvg', () => {
  it('draws a band, a line and marks for every series, with title, axes and legend', async () => {
    const svg = await chartSvg(chart);
    for (const words of ['Two &lt;methods&gt;', 'planted', 'n →', '↑ log error', 'FAST a=1', 'SLOW a=1', 'FAST a=2']) {
      expect(svg).to.include(`>${words}</text>`);
    }
    expect(attributes(svg, /aria-label="(area|line|dot)"/g)).to.deep.equal(
      Array.from({ length: 3 }, () => ['area', 'line', 'dot']).flat(),
    );
    expect(svg).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="640"/);
    expect(svg).to.include('<title>Two &lt;methods&gt;</title>');
    expect(svg).not.to.include('<style');
  });

  it('tells methods by colour and variants by dash', async () => {
    const svg = await chartSvg(chart);
    const drawn = attributes(svg, /<g ([^>]*aria-label="line"[^>]*)>/g).map(text => [
      /stroke="([^"]+)"/.exec(text)![1],
      /stroke-dasharray="([^"]+)"/.exec(text)?.[1],
    ]);
    expect(drawn).to.deep.equal([
      ['#0072B2', undefined],
      ['#D55E00', undefined],
      ['#0072B2', '6 3'],
    ]);
  });

  it('gives a panel that lies beyond the first an axis of its own, and one axis to all others', async () => {
    const shifted = (by: number) => line('FAST a=1', 1).map(point => ({ ...point, x: point.x + by }));
    const svg = await chartSvg({
      ...chart,
      panels: [
        { title: 'first', points: line('FAST a=1', 1) },
        { title: 'overlapping', points: shifted(1) },
        { title: 'beyond', points: shifted(1000) },
        { title: 'alone', points: shifted(1000).slice(0, 1) },
      ],
    });
    const places = svg
      .split('aria-label="dot"')
      .slice(1)
      .map(panel => attributes(panel, /<circle r="2.4" cy="[\d.]+" cx="([\d.]+)"/g).map(Number));
    const [left, right] = [places[0]![0]!, places[2]![2]!];
    const span = right - left;
    expect(places.map(panel => panel.map(x => Math.round((6 * (x - left)) / span)))).to.deep.equal([
      [0, 2, 4],
      [2, 4, 6],
      [0, 3, 6],
      [3],
    ]);
  });

  it('spaces powers of ten evenly where x is told to be logarithmic, and names no others', async () => {
    const points = [1, 10, 100, 1000].map(x => ({ series: 'A', x, median: 1, q25: 1, q75: 1 }));
    const svg = await chartSvg({ ...chart, xScale: 'log', panels: [{ title: '', points }] });
    const places = attributes(svg, /<circle r="3.2" cy="\d+" cx="(\d+)"/g).map(Number);
    expect(places).to.have.length(4);
    for (const k of [1, 2]) {
      expect(places[k + 1]! - places[k]!).to.be.closeTo(places[1]! - places[0]!, 1e-6);
    }
    for (const power of ['1', '10', '100', '1,000']) expect(svg).to.include(`>${power}</text>`);
    expect(svg).not.to.include('>200</text>');
  });

  it('names more than the powers of ten on a logarithmic axis that holds one of them', async () => {
    const points = [8000, 64_000].map(x => ({ series: 'A', x, median: 1, q25: 1, q75: 1 }));
    const svg = await chartSvg({ ...chart, xScale: 'log', panels: [{ title: '', points }] });
    for (const x of ['10,000', '20,000', '50,000']) expect(svg).to.include(`>${x}</text>`);
    expect(svg).not.to.include('>30,000</text>');
  });

  it('sets several panels side by side, each with its heading and its own y', async () => {
    const panels = ['one', 'two', 'three', 'four'].map((title, k) => ({ title, points: line('A', 10 ** k) }));
    const svg = await chartSvg({ ...chart, panels });
    for (const { title } of panels) expect(svg).to.include(`>${title}</text>`);
    expect(svg).to.include('log error against n. planted');
    expect(attributes(svg, /<svg [^>]*? x="(\d+)"/g)).to.deep.equal(['0', '320', '640', '0']);
  });
});

describe('chartPng', () => {
  it('is a picture of twice the size, in which the letters are drawn', async () => {
    const svg = await chartSvg(chart);
    const [png, mute] = [await chartPng(svg), await chartPng(svg.replaceAll(/<text[^>]*>[^<]*<\/text>/g, ''))];
    const view = new DataView(png.buffer, png.byteOffset);
    expect([...png.subarray(1, 4)]).to.deep.equal([...Buffer.from('PNG')]);
    expect(view.getUint32(16)).to.equal(1280);
    expect(png.length).to.be.above(mute.length + 2000);
  });
});
