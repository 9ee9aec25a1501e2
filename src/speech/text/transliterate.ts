// Text for voices that read ASCII only: accents are dropped, signs become words, and characters that cannot be spoken are
// returned, so that a warning can name them.

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'th',
  Ð: 'Th',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  ħ: 'h',
  ŋ: 'ng',
  ſ: 's',
};

/** Signs of mathematics and money stand for words, and so do Greek letters, which are signs in English text. */
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  `α alpha, β beta, γ gamma, δ delta, ε epsilon, ζ zeta, η eta, θ theta, ι iota, κ kappa, λ lambda, μ mu, ν nu, ξ xi,
  ο omicron, π pi, ρ rho, σ sigma, ς sigma, τ tau, υ upsilon, φ phi, χ chi, ψ psi, ω omega, ϕ phi, ϵ epsilon, ϑ theta,
  ∀ for all, ∃ there is, ¬ not, ∧ and, ∨ or, ∪ union, ∩ intersection, ⊂ subset of, ⊆ subset of, ∅ the empty set,
  ∂ partial, ∇ nabla, ∏ product, ∝ proportional to, ∼ about, ≪ much less than, ≫ much greater than, ↔ if and only if,
  ⇔ if and only if, ↦ maps to, ← from, ↑ up, ↓ down, ° degrees, ′ prime, ″ double prime, ‰ per mille, € euros, £ pounds,
  ¥ yen, ₹ rupees, ¢ cents, § section, ¶ paragraph, © copyright, ½ one half, ¼ one quarter, ¾ three quarters,
  ≤ at most, ≥ at least, ≠ is not, ≈ about, × times, ÷ divided by, ± plus or minus, ∞ infinity, √ root, ∑ sum, ∫ integral,
  ∈ in, ∉ not in, → to, ⇒ implies, ⊥ bottom, ⊤ top, ⊢ proves, ⊨ models, ∘ composed with, ⊗ tensor, ⊕ plus, ℓ ell,
  ℏ h bar, ℃ degrees Celsius, № number, ✓ check, ✔ check, ✗ cross, ★ star, ☆ star`
    .split(/,\s+/)
    .map((pair) => [pair.charAt(0), `${pair.slice(1)} `]),
);

/** Ornaments, which are dropped without a warning: bullets, lines, boxes, marks, private-use characters. */
const UNSAID = /[\p{Cf}\p{Co}\p{Cc}\p{Mn}\p{Me}\p{Sk}•◦▪▫■□●○‣⁃·∙◆◇►▶➢➤❑❖†‡―─-╿▀-▟¡¿¦¨¯´¸ˆ˜�]/gu;

interface Transliterated {
  readonly text: string;
  /** The characters that cannot be spoken, without repeats, in order. */
  readonly left: readonly string[];
}

export function toAscii(text: string): Transliterated {
  const left = new Set<string>();
  const greek = text.replace(/[^\x00-\x7f]/gu, (character) => {
    return LETTERS[character] ?? WORDS[character] ?? WORDS[character.toLowerCase()] ?? character;
  });
  const plain = greek
    .normalize('NFKD')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[‘’‚‛ʼ]/g, "'")
    .replace(/[“”„‟«»‹›]/g, ' ')
    .replace(/⁄/g, '/')
    .replace(UNSAID, (character) => (/[\n\t]/.test(character) ? ' ' : ''))
    .replace(/[^\x00-\x7f]/gu, (character) => {
      const word = LETTERS[character] ?? WORDS[character] ?? WORDS[character.toLowerCase()];
      if (word !== undefined) return word;
      if (!/\s/u.test(character)) left.add(character);
      return ' ';
    });
  return { text: plain.replace(/\s+/g, ' ').trim(), left: [...left] };
}
