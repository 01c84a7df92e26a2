import { describe, expect, it } from 'vitest';
import { examplesIn } from './examples.ts';
import { answerProblems, fits, jsonProblems } from './match-answer.ts';

const shown = (language: string, text: string) => ({ line: 1, language, flags: [], text });

describe('an answer shown in the documents', () => {
  it('an ellipsis in shown output stands for any text, and all else for itself', () => {
    expect(fits('a…c…e', 'abcde')).toBe(true);
    expect(fits('a…c…e', 'abde')).toBe(false);
    expect(fits('a…a', 'a')).toBe(false);
    expect(fits('…x…x', 'x')).toBe(false);
    expect(fits('abc', 'abcd')).toBe(false);
  });

  it('shown JSON must be a part of the JSON that was returned', () => {
    expect(jsonProblems({ a: '…', b: [1, '…'] }, { a: null, b: [1, 2], c: 3 })).toEqual([]);
    expect(jsonProblems({ a: '…' }, {})).toEqual(['$.a is missing']);
    expect(jsonProblems({ b: [1] }, { b: [1, 2] })).toEqual(['$.b: 1 items are shown, 2 came']);
    expect(jsonProblems({ b: [{ c: true }] }, { b: [{ c: false }] })).toEqual(['$.b[0].c: true is shown, false came']);
    expect(jsonProblems({ a: {} }, { a: [] })).toHaveLength(1);
  });

  it('a shown response must have the status, the headers and the body that were returned', () => {
    const came = 'HTTP/1.1 201 Created\r\nlocation: http://x/a-1\r\nDate: now\r\n\r\n{"id": "a-1"}';
    const head = 'HTTP/1.1 201 Created\nLocation: http://x/…\n';
    expect(answerProblems(shown('http', `${head}\n{"id": "a-1"}\n`), came)).toEqual([]);
    expect(answerProblems(shown('http', `${head}\n{"id": "a"}\n`), came)).toHaveLength(1);
    expect(answerProblems(shown('http', 'HTTP/1.1 200 OK\n'), came)).toHaveLength(1);
    expect(answerProblems(shown('http', 'HTTP/1.1 201 Created\nETag: …\n'), came)).toHaveLength(1);
    expect(answerProblems(undefined, came)).toEqual(['no answer is shown']);
  });

  it('output that the document does not show is a difference', () => {
    const fence = '```';
    expect(examplesIn(`${fence}sh\na\n${fence}\ntext\n${fence}json\n1\n${fence}\n`)).toHaveLength(1);
    expect(examplesIn(`${fence}nginx no-test\na\n${fence}\n`)).toEqual([]);
    expect(() => examplesIn(`${fence}json\n1\n${fence}\n`)).toThrow('line 1');
    expect(() => examplesIn(`${fence}bash\na\n${fence}\n`)).toThrow('line 1');
    expect(() => examplesIn(`${fence}sh\na\n`)).toThrow('no end');
  });
});
