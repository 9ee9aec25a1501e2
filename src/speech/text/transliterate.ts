// Text for voices that read ASCII only: accents are dropped, signs become words, and characters that cannot be spoken are
// returned, so that a warning can name them.

const LETTERS = pairs(`
  ß ss æ ae Æ Ae œ oe Œ Oe ø o Ø O đ d Đ D ð th Ð Th þ th Þ Th ł l Ł L ı i ħ h ŋ ng ſ s`);

/** Signs of mathematics and money stand for words, and so do Greek letters, which are signs in English text. */
const WORDS = pairs(`
  α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi ο omicron π pi
  ρ rho σ sigma ς sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega ϕ phi ϵ epsilon ϑ theta ∀ for_all ∃ there_is ¬ not
  ∧ and ∨ or ∪ union ∩ intersection ⊂ subset_of ⊆ subset_of ∅ the_empty_set ∂ partial ∇ nabla ∏ product
  ∝ proportional_to ∼ about ≪ much_less_than ≫ much_greater_than ↔ if_and_only_if ⇔ if_and_only_if ↦ maps_to ← from
  ↑ up ↓ down ° degrees ′ prime ″ double_prime ‰ per_mille € euros £ pounds ¥ yen ₹ rupees ¢ cents § section
  ¶ paragraph © copyright ½ one_half ¼ one_quarter ¾ three_quarters ≤ at_most ≥ at_least ≠ is_not ≈ about × times
  ÷ divided_by ± plus_or_minus ∞ infinity √ root ∑ sum ∫ integral ∈ in ∉ not_in → to ⇒ implies ⊥ bottom ⊤ top ⊢ proves
  ⊨ models ∘ composed_with ⊗ tensor ⊕ plus ℓ ell ℏ h_bar ℃ degrees_Celsius № number ✓ check ✔ check ✗ cross ★ star
  ☆ star`);

/** Ornaments, which are dropped without a warning: bullets, lines, boxes, marks, private-use characters. */
const UNSAID = /[\p{Cf}\p{Co}\p{Cc}\p{Mn}\p{Me}\p{Sk}•◦▪▫■□●○‣⁃·∙◆◇►▶➢➤❑❖†‡―─-╿▀-▟¡¿¦¨¯´¸ˆ˜�]/gu;

interface Transliterated {
  readonly text: string;
  /** The characters that cannot be spoken, without repeats, in order. */
  readonly left: readonly string[];
}

export function toAscii(text: string): Transliterated {
  const left = new Set<string>();
  const greek = text.replace(/[^\x00-\x7f]/gu, (character) => written(character) ?? character);
  const plain = greek
    .normalize('NFKD')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[‘’‚‛ʼ]/g, "'")
    .replace(/[“”„‟«»‹›]/g, ' ')
    .replace(/⁄/g, '/')
    .replace(UNSAID, (character) => (/[\n\t]/.test(character) ? ' ' : ''))
    .replace(/[^\x00-\x7f]/gu, (character) => {
      const word = written(character);
      if (word !== undefined) return word;
      if (!/\s/u.test(character)) left.add(character);
      return ' ';
    });
  return { text: plain.replace(/\s+/g, ' ').trim(), left: [...left] };
}

/** Characters, each followed by what is read for it; `_` stands for a space. */
function pairs(list: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...list.matchAll(/(\S)\s+(\S+)/gu)].map(([, sign, word]) => [sign, word]));
}

function written(character: string): string | undefined {
  const word = WORDS[character] ?? WORDS[character.toLowerCase()];
  return LETTERS[character] ?? (word && ` ${word.replaceAll('_', ' ')} `);
}
