import { describe, expect, test } from 'vitest';
import { fileId, slug } from '../../src/lib/text/slug.ts';

describe('slug', () => {
  test.each([
    ['Ünïcode Tïtle, ça (ñ)!', 'unicode-title-ca-n'],
    ['Über die Straße', 'uber-die-strasse'],
    ['Łódź Ærø Œuvre', 'lodz-aero-oeuvre'],
    ['Привет, мир', 'privet-mir'],
    ['Ελληνικά', 'ellinika'],
    ["Don't stop", 'dont-stop'],
    ['Fish & Chips', 'fish-chips'],
    ['fooBar HTML5', 'foobar-html5'],
    ['Version 2.0', 'version-2-0'],
    ['../..//etc', 'etc'],
    ['ics_view', 'ics-view'],
  ])('%j becomes %j', (title, id) => {
    expect(slug(title)).toBe(id);
  });

  test.each([
    ['서울', 'seoul'],
    ['안녕 하세요', 'annyeong-haseyo'],
    ['さくら', 'sakura'],
    ['きょうと', 'kyouto'],
    ['しゃしん', 'shashin'],
    ['がっこう', 'gakkou'],
    ['トヨタ カメラ', 'toyota-kamera'],
    ['りんご', 'ringo'],
    ['はなび ぽすと まつり', 'hanabi-posuto-matsuri'],
    ['日本語', 'ri-ben-yu'],
    ['東京タワー 2024', 'dong-jing-tawa-2024'],
    ['中文標題', 'zhong-wen-biao-ti'],
    ['שלום עולם', 'shlvm-vlm'],
    ['مرحبا بالعالم', 'mrhba-balealm'],
    ['สวัสดี', 'swasdi'],
    ['नमस्ते दुनिया', 'nmste-duniya'],
    ['გამარჯობა', 'gamarjoba'],
  ])('%s is romanized as %s', (title, id) => {
    expect(slug(title)).toBe(id);
  });

  test('the slug of a title without any letter that can be romanized is empty', () => {
    for (const title of ['', '   ', '🎉🎉', '🦄♥', '!?-_']) expect(slug(title)).toBe('');
  });

  test('the slug of a long title is cut between words', () => {
    const id = slug('word '.repeat(40));
    expect(id).toBe('word-'.repeat(15).slice(0, -1));
    expect(slug('abcdef ghi', 8)).toBe('abcdef');
  });

  test('the slug of a word that is too long is cut within the word', () => {
    expect(slug('a'.repeat(200))).toBe('a'.repeat(75));
    expect(slug(`ab ${'c'.repeat(200)}`, 20)).toBe(`ab-${'c'.repeat(17)}`);
  });

  test('the slug of a hostile title takes nearly no time', () => {
    const started = performance.now();
    for (const piece of ['-', 'Aa', 'u\u0308', "'s", '\\', 'っ', '漢', 'ש', 'स्']) slug(piece.repeat(500_000));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('fileId', () => {
  test.each([
    ['image.png', 'image.png'],
    ['Ein Bild.PNG', 'ein-bild.png'],
    ['my_file (1).pdf', 'my_file-1.pdf'],
    ['archive.tar.gz', 'archive-tar.gz'],
    ['C:\\Users\\me\\Photo.jpeg', 'photo.jpeg'],
    ['../../etc/passwd', 'passwd'],
    ['.htaccess', 'htaccess'],
    ['..', ''],
    ['漢字.png', 'han-zi.png'],
    ['🎉.png', 'file.png'],
    ['__init__.py', 'init.py'],
    ['README', 'readme'],
    ['a.very long extension', 'a-very-long-extension'],
    ['x.p/../y', 'y'],
  ])('%j becomes %j', (name, id) => {
    expect(fileId(name)).toBe(id);
  });

  test('the id of a file with a long name is cut and keeps the extension', () => {
    const id = fileId(`${'word '.repeat(40)}.png`);
    expect(id.length).toBeLessThanOrEqual(75);
    expect(id).toMatch(/-word\.png$/);
  });
});
