import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition } from '../../src/lib/http/http-headers.ts';

/** The name that a client reads from `filename*`. */
const decoded = (header: string) => decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? 'none');

describe('contentDisposition', () => {
  it('Content-Disposition names the file twice, for old and for new clients', () => {
    expect(contentDisposition('attachment', 'notes.txt')).toBe(
      `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`,
    );
    expect(contentDisposition('inline', 'Übung €.pdf')).toBe(
      `inline; filename="Ubung _.pdf"; filename*=UTF-8''%C3%9Cbung%20%E2%82%AC.pdf`,
    );
  });

  it('a file name cannot end its quotes, its parameter or the header Content-Disposition', () => {
    const header = contentDisposition('attachment', 'a"; filename=evil.exe; x="\\\r\nSet-Cookie: a=b');
    expect(header).toBe(
      `attachment; filename="a_; filename=evil.exe; x=____Set-Cookie: a=b"; filename*=UTF-8''a%22%3B%20filename%3Devil.exe%3B%20x%3D%22___Set-Cookie%3A%20a%3Db`,
    );
  });

  it('Content-Disposition has neither paths nor characters that change the direction of text', () => {
    expect(decoded(contentDisposition('attachment', '../../etc/passwd'))).toBe('.._.._etc_passwd');
    expect(decoded(contentDisposition('attachment', 'photo\u202egpj.exe'))).toBe('photo_gpj.exe');
  });

  it.each(['', '   ', '.', '..'])('Content-Disposition has a name for a file called "%s"', (name) => {
    expect(decoded(contentDisposition('attachment', name))).toBe('download');
  });

  it('Content-Disposition shortens very long names before their extension', () => {
    const name = decoded(contentDisposition('attachment', `${'long '.repeat(500)}.pdf`));
    expect(name).toHaveLength(200);
    expect(name).toMatch(/^long .*\.pdf$/);
  });

  it('Content-Disposition is a valid header with the name for any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(contentDisposition('inline', name)).toMatch(
          /^inline; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[A-Za-z0-9%!#$&+.^_`|~-]+$/,
        );
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zäöü'()*%&+ 字😀]{0,40}z$/u), (name) => {
        expect(decoded(contentDisposition('attachment', name))).toBe(name.trim());
      }),
    );
    expect(decoded(contentDisposition('attachment', 'lone \ud800.txt'))).toBe('lone \ufffd.txt');
  });
});
