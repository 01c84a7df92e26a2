/** Korean and Japanese syllables in Latin letters. Chinese characters have no sound without a dictionary and stay. */

/** Revised Romanization, by the order of the letters in Unicode's Hangul syllables (its chapter 3.12). */
const INITIALS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINALS = '- k k ks n nj nh t l lk lm lb ls lt lp lh m p ps t t ng t t k t p h'.split(' ');
const HANGUL_BASE = 0xac00;

/** Hepburn, from U+3041 on; small letters and those that change their neighbours are treated in `kana`. */
const KANA = (
  'a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji - tsu zu te de to do ' +
  'na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo ra ri ru re ro wa wa i e o n vu'
).split(' ');
const HIRAGANA_BASE = 0x3041;
const KATAKANA_SHIFT = 0x60;

function hangul(character: string): string {
  const index = (character.codePointAt(0) ?? HANGUL_BASE) - HANGUL_BASE;
  const parts = [INITIALS[Math.floor(index / 588)], VOWELS[Math.floor((index % 588) / 28)], FINALS[index % 28]];
  return parts.filter((part) => part !== '-').join('');
}

function kana(run: string): string {
  let latin = '';
  let doubled = false;
  for (const character of run) {
    const code = character.codePointAt(0) ?? 0;
    const index = (code >= HIRAGANA_BASE + KATAKANA_SHIFT ? code - KATAKANA_SHIFT : code) - HIRAGANA_BASE;
    const sound = KANA[index] ?? '';
    if (sound === '-') {
      doubled = true;
      continue;
    }
    // A small ya, yu or yo takes the place of the vowel before it: ki + small yo is kyo, shi + small yo is sho.
    const glide = [0x42, 0x44, 0x46].includes(index) && latin.endsWith('i');
    if (glide) latin = latin.slice(0, -1) + (/(?:sh|ch|j)i$/.test(latin) ? sound.slice(1) : sound);
    else latin += (doubled ? sound.slice(0, 1) : '') + sound;
    doubled = false;
  }
  return latin;
}

/** The text with its Hangul and kana in Latin letters, everything else as it was. */
export function romanize(text: string): string {
  return text.replace(/[\uac00-\ud7a3]/g, hangul).replace(/[\u3041-\u3094\u30a1-\u30f4\u30fc]+/g, kana);
}
