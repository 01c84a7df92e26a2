import { describe, expect, it } from 'vitest';
import { extensionFor, isInlineSafe, sniffMediaType } from '../../src/lib/http/media-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');

describe('sniffMediaType', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/gif', bytes('GIF89a....')],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8 ')],
    ['image/avif', bytes('\0\0\0\x20ftypavif')],
    ['application/pdf', bytes('%PDF-1.7')],
    ['image/svg+xml', bytes('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['image/svg+xml', bytes('\xef\xbb\xbf<?xml version="1.0"?>\n<!-- made by hand -->\n<svg>')],
    ['text/html', bytes('  \n<!DOCTYPE html><title>x')],
    ['text/html', bytes('<script>alert(1)</script>')],
    ['text/html', Buffer.from('\ufeff<html>', 'utf16le')],
  ])('knows %s by its first bytes', (type, head) => {
    expect(sniffMediaType(head, undefined)).toBe(type);
    expect(sniffMediaType(head, 'application/octet-stream', 'x.bin')).toBe(type);
  });

  it('sniffMediaType does not accept a page as a picture or a text', () => {
    for (const declared of ['image/png', 'text/plain; charset=utf-8', 'application/pdf', 'IMAGE/GIF', 'no type']) {
      expect(sniffMediaType(bytes('<html><script>'), declared, 'innocent.png')).toBe('text/html');
      expect(sniffMediaType(bytes('<svg onload="x">'), declared)).toBe('image/svg+xml');
    }
  });

  it('sniffMediaType recognizes the type of a picture', () => {
    expect(sniffMediaType(PNG, 'image/jpeg', 'photo.jpg')).toBe('image/png');
  });

  it('sniffMediaType returns other declared types unchanged', () => {
    expect(sniffMediaType(bytes('%PDF-1.5'), 'application/illustrator')).toBe('application/illustrator');
    expect(sniffMediaType(bytes('<div>'), 'Text/Markdown; charset=utf-8')).toBe('text/markdown');
    expect(sniffMediaType(bytes('this is no picture'), 'image/png')).toBe('image/png');
    expect(sniffMediaType(bytes('a < b, <abc> and <brr>'), 'text/plain')).toBe('text/plain');
    expect(sniffMediaType(bytes('<article>'), 'text/plain')).toBe('text/plain');
  });

  it('sniffMediaType uses the name when nothing else is known', () => {
    expect(sniffMediaType(bytes('a,b'), undefined, 'Table.CSV')).toBe('text/csv');
    expect(sniffMediaType(bytes('a,b'), undefined, 'notes.log')).toBe('text/plain');
    expect(sniffMediaType(bytes('PK'), undefined, 'letter.docx')).toMatch(/wordprocessingml/);
    expect(sniffMediaType(bytes('<data>'), undefined, 'data.xml')).toBe('application/xml');
    expect(sniffMediaType(bytes('a,b'), undefined, 'table')).toBe('application/octet-stream');
    expect(sniffMediaType(new Uint8Array(), '')).toBe('application/octet-stream');
  });
});

describe('isInlineSafe', () => {
  it('isInlineSafe allows raster pictures, plain text and PDF', () => {
    for (const type of [
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
      'image/x-icon',
      'image/jp2',
      'application/pdf',
    ]) {
      expect(isInlineSafe(type)).toBe(true);
    }
    expect(isInlineSafe('Text/Plain; charset=utf-8')).toBe(true);
  });

  it('isInlineSafe allows nothing that could run code, and nothing unknown', () => {
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'text/javascript',
      'x',
      '',
      'text/plain,text/html',
    ]) {
      expect(isInlineSafe(type)).toBe(false);
    }
  });
});

describe('extensionFor', () => {
  it('extensionFor keeps the extension of the name when it fits the type', () => {
    expect(extensionFor('image/jpeg', 'a.jpeg')).toBe('jpeg');
    expect(extensionFor('image/jpeg', 'A.JPG')).toBe('jpg');
    expect(extensionFor('application/x-special', 'data.spc')).toBe('spc');
    expect(extensionFor('application/octet-stream', 'data.spc')).toBe('spc');
  });

  it('extensionFor returns the usual extension when that of the name does not fit', () => {
    expect(extensionFor('image/png', 'page.html')).toBe('png');
    expect(extensionFor('image/svg+xml; charset=utf-8')).toBe('svg');
    expect(extensionFor('image/x-icon', 'favicon')).toBe('ico');
    expect(extensionFor('image/jpeg', 'photo')).toBe('jpg');
    expect(extensionFor('text/plain', 'page.html')).toBe('txt');
    expect(extensionFor('application/x-special', 'a/b.x y')).toBe('bin');
    expect(extensionFor('nonsense')).toBe('bin');
  });
});
