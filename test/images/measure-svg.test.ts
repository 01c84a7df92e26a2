import { describe, expect, it } from 'vitest';
import { measureSvg } from '../../src/core/files/images/measure-svg.ts';

describe('measureSvg', () => {
  it.each([
    ['<svg width="40" height="20">', 40, 20],
    [`<svg height='20px'\n width = '40px'/>`, 40, 20],
    ['<svg width="1in" height="2.54cm" viewBox="0 0 7 7">', 96, 96],
    ['<svg viewBox="0 0 24 12">', 24, 12],
    ['<svg viewBox=" -5,-5, 10 , 30 ">', 10, 30],
    ['<svg width="100%" height="100%" viewBox="0 0 24 12">', 24, 12],
    ['<svg width="48" viewBox="0 0 24 12">', 48, 24],
    ['<svg height="48" viewBox="0 0 24 12">', 96, 48],
    ['<svg width="1e2" height="0.2">', 100, 1],
    ['<svg>', 300, 150],
    ['<svg width="-1" height="none" viewBox="0 0 0 0">', 300, 150],
    [
      '\ufeff <?xml version="1.0"?><!-- <svg width="1" height="1"> --><!DOCTYPE svg [<!ENTITY a ">">]>\n<svg width="5" height="6">',
      5,
      6,
    ],
    ['<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="5" height="6">', 5, 6],
    ['<svg data-width="1" width="5" title="width=7" height="6" >', 5, 6],
  ])('the size of the drawing %s is measured', (text, width, height) => {
    expect(measureSvg(text)).toEqual({ width, height });
  });

  it.each([
    '',
    'no drawing',
    '<html><svg width="5" height="6"></html>',
    '<svgx width="5" height="6">',
    '<!-- <svg width="1">',
    '<?xml',
    '<',
  ])('the text "%s" is no drawing', (text) => {
    expect(measureSvg(text)).toBeUndefined();
  });

  it('hostile texts are recognized as no drawings in short time', () => {
    const before = performance.now();
    for (const part of [
      '<!---->',
      '<?x?>',
      ' ',
      '<!doctype [',
      '<svg a="b" ',
      `<svg${' '.repeat(1000)}`,
      '<svg a=',
      'a:',
    ]) {
      measureSvg(part.repeat(65_536 / part.length));
      measureSvg(`<svg ${part.repeat(65_536 / part.length)}`);
    }
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
