// Texts from a seed. What they say does not matter; that they look like text of their kind does.

const COMMON =
  `the of and to in a is that for it as was with be by on not he his but at are this have from or had an they
which one you were her all she there would their we him been has when who will more no if out so said what up its about into
than them can only other new some could time these two may then do first any my now such like our over me even most made after
also did many before must through years where much your way well down should because each just those people how too little
state good very make world still own see men work long get here between both life being under never day same another know
while last might us great old year off come since against go came right used take three`.split(/\s+/);
const NOUNS =
  `system report river budget market school energy water network council region patient sample method surface
library contract engine factory vessel bridge harbour winter village teacher student policy measure income export import
customer service product quality safety traffic village forest mountain climate pressure voltage current signal memory
storage archive museum gallery painter writer printer letter journal article chapter section figure question answer result
process reaction compound protein membrane tissue therapy hospital surgeon nurse clinic vaccine insurance pension credit
interest account balance invoice payment delivery shipment container railway station airport passenger ticket schedule
weather season harvest wheat barley potato apple cherry orange lemon butter cheese bread kitchen garden window ceiling
cotton leather timber marble copper silver carbon oxygen nitrogen hydrogen uranium fraction integer matrix vector theorem
language grammar sentence syllable vowel alphabet dialect election parliament minister senator mayor citizen district
province border treaty embassy soldier officer captain admiral submarine aircraft propeller turbine boiler furnace`.split(
    /\s+/,
  );
const ADJECTIVES =
  `annual local public private national foreign rural urban mean total gross net final early late upper lower
inner outer northern southern eastern western general special medical legal social natural digital average relative absolute
primary secondary common rare heavy light open closed direct indirect recent former current estimated planned actual`.split(
    /\s+/,
  );
const NAMES =
  `Anderson Bergmann Castillo Dubois Eriksson Fontaine Gupta Hansen Ivanov Jansen Kowalski Lindqvist Moreau Nakamura
Okafor Petrov Quinn Rossi Schneider Tanaka Ullrich Vasquez Whitfield Xu Yilmaz Zimmermann Austria Brazil Canada Denmark
Estonia Finland Greece Hungary Iceland Japan Kenya Latvia Mexico Norway Oman Portugal Qatar Romania Sweden Tunisia Uganda
Vietnam Wales Yemen Zambia Berlin Lisbon Toronto Nairobi Hanoi Oslo Quito Lima Cairo Dakar`.split(/\s+/);
const UNITS = ['kg', 'km', 'm/s', 'MW', 'GWh', 'ppm', 'mm', '°C', 'USD', 'EUR', 'hours', 'tons'];
const HEBREW =
  'שלום עולם ספר בית מים עיר דרך זמן אדם ילד מורה תלמיד ארץ שמש ירח יום לילה שנה מלך חוק עבודה משפט זכות כבוד חירות חברה מדינה שפה אמת דעה'.split(
    ' ',
  );
const ARABIC =
  'كتاب مدينة ماء طريق وقت إنسان ولد معلم أرض شمس قمر يوم ليلة سنة ملك قانون عمل حق كرامة حرية مجتمع دولة لغة حقيقة رأي سلام بيت نهر جبل باب'.split(
    ' ',
  );
const CHINESE =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严'.split(
    '',
  );

const JAPANESE =
  `東京 大学 研究 結果 方法 社会 経済 政府 市場 システム データ ユーザー サービス 環境 教育 技術 開発 問題 時間 世界 文化 歴史
言語 図書館 電車 会議 資料 計画 予算 コンピューター エネルギー 水 山 川 町 人 子ども 先生 学生`.split(/\s+/);
const JAPANESE_LINKS = ['は', 'が', 'を', 'に', 'の', 'で', 'と', 'から', 'まで', 'によって', 'について', 'も'];
const JAPANESE_ENDS = ['する', 'した', 'である', 'になる', 'できない', 'と考えられる', 'が必要だ', 'を示している'];
const KOREAN =
  `서울 대학교 연구 결과 방법 사회 경제 정부 시장 시스템 데이터 사용자 서비스 환경 교육 기술 개발 문제 시간 세계 문화 역사
언어 도서관 회의 자료 계획 예산 컴퓨터 에너지 사람 학생 선생님 나라 도시 바다`.split(/\s+/);
const KOREAN_LINKS = ['은', '는', '이', '가', '을', '를', '에서', '으로', '의', '와', '부터', ''];
const KOREAN_ENDS = ['한다', '하였다', '있다', '없다', '보인다', '필요하다', '나타났다'];
const LATIN = ['PDF', 'HTML5', 'OECD', 'Linux', '2024', '37.5', 'A4'];

/** Numbers from a seed, the same everywhere (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (least, most) => least + Math.floor(next() * (most - least + 1));
  const pick = (list) => list[int(0, list.length - 1)];
  return {
    next,
    int,
    pick,
    chance: (share) => next() < share,
    times: (n, make) => Array.from({ length: n }, (_, i) => make(i)),
  };
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function word(random) {
  return random.chance(0.55) ? random.pick(COMMON) : random.pick(random.chance(0.75) ? NOUNS : ADJECTIVES);
}

export function sentence(random, least = 7, most = 22) {
  const words = random.times(random.int(least, most), () => word(random));
  if (words.length > 10 && random.chance(0.5)) words[random.int(3, words.length - 4)] += ',';
  if (random.chance(0.15)) words[words.length - 1] = String(random.int(1850, 2030));
  return `${capital(words.join(' '))}.`;
}

export function paragraph(random, sentences = random.int(3, 6)) {
  return random.times(sentences, () => sentence(random)).join(' ');
}

/** A title in the manner of headings. */
export function title(random, least = 2, most = 6) {
  const words = random.times(random.int(least, most), () => random.pick(random.chance(0.7) ? NOUNS : ADJECTIVES));
  return random.chance(0.5) ? words.map(capital).join(' ') : capital(words.join(' '));
}

export function label(random, least = 1, most = 3) {
  const words = random.times(random.int(least, most), (i) => random.pick(i === 0 ? ADJECTIVES : NOUNS));
  return capital(words.join(' '));
}

export function name(random) {
  return random.pick(NAMES);
}

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

/** What cells of one column hold; numbers of one column have one form, so that they can be aligned. */
export const CELLS = {
  name: () => name,
  names: () => (random) => `${name(random)}, ${name(random).charAt(0)}.`,
  label: () => (random) => label(random),
  phrase: () => (random) => capital(random.times(random.int(3, 6), () => word(random)).join(' ')),
  sentence: () => (random) => sentence(random, 8, 24),
  integer: (random) => {
    const most = random.pick([20, 100, 999]);
    return (r) => String(r.int(0, most));
  },
  grouped: () => (random) => grouped(random.int(900, 3_000_000)),
  decimal: (random) => {
    const [most, places] = [random.pick([1, 10, 100]), random.int(1, 3)];
    const signed = random.chance(0.2);
    return (r) => `${signed && r.chance(0.4) ? '-' : ''}${(r.next() * most).toFixed(places)}`;
  },
  percent: (random) => {
    const places = random.int(0, 1);
    return (r) => `${(r.next() * 100).toFixed(places)}%`;
  },
  money: (random) => {
    const sign = random.pick(['$', '€', '£']);
    return (r) => `${sign}${grouped(r.int(10, 90_000))}`;
  },
  year: () => (random) => String(random.int(1900, 2030)),
  date: () => (random) =>
    `${random.int(1, 28)} ${random.pick(['Jan', 'Feb', 'Mar', 'May', 'June', 'Sept'])} ${random.int(1990, 2030)}`,
  code: () => (random) => `${random.pick(['A', 'B', 'KX', 'TR'])}-${random.int(100, 999)}`,
  answer: () => (random) => random.pick(['Yes', 'No', 'Yes', 'No', 'n/a']),
  range: () => (random) => `${random.int(1, 40)}–${random.int(41, 99)}`,
  measure: (random) => {
    const unit = random.pick(UNITS);
    return (r) => `${r.int(1, 400)} ${unit}`;
  },
  deviation: () => (random) => `${(random.next() * 10).toFixed(2)} ± ${random.next().toFixed(2)}`,
};

export const NUMERIC = ['integer', 'grouped', 'decimal', 'percent', 'money', 'year', 'range', 'deviation'];

/** A sentence of another script; those of China and Japan have no spaces. */
export function foreign(random, script, words) {
  if (script === 'zh') return chinese(random, words * 2);
  if (script === 'ja') return japanese(random, words);
  if (script === 'ko') return korean(random, words);
  return `${random.times(words, () => random.pick(script === 'he' ? HEBREW : ARABIC)).join(' ')}.`;
}

function chinese(random, length) {
  const characters = random.times(length, () => random.pick(CHINESE));
  if (length > 14) characters[random.int(4, length - 5)] += random.pick(['，', '，', '、', '；']);
  if (random.chance(0.2)) characters[1] += `“${random.pick(CHINESE)}${random.pick(CHINESE)}”`;
  if (random.chance(0.3)) characters[2] += random.pick(LATIN);
  return `${characters.join('')}${random.pick(['。', '。', '。', '！', '？'])}`;
}

function japanese(random, words) {
  const parts = random.times(Math.ceil(words / 2), () => random.pick(JAPANESE) + random.pick(JAPANESE_LINKS));
  if (parts.length > 3) parts[1] += '、';
  if (random.chance(0.3)) parts[0] = `「${random.pick(JAPANESE)}」${parts[0]}`;
  if (random.chance(0.2)) parts[0] = random.pick(LATIN) + parts[0];
  return `${parts.join('')}${random.pick(JAPANESE_ENDS)}。`;
}

function korean(random, words) {
  const parts = random.times(words, () => random.pick(KOREAN) + random.pick(KOREAN_LINKS));
  if (parts.length > 6 && random.chance(0.5)) parts[3] += ',';
  if (random.chance(0.3)) parts[2] = random.pick(LATIN);
  return `${parts.join(' ')} ${random.pick(KOREAN_ENDS)}.`;
}

export function codeLines(random) {
  const noun = () => random.pick(NOUNS);
  const lines = [`function ${noun()}(${noun()}, ${noun()}) {`];
  for (let i = random.int(2, 6); i > 0; i--) {
    lines.push(
      random.pick([
        () => `  const ${noun()} = ${noun()}.${noun()}(${random.int(1, 99)});`,
        () => `  if (${noun()} === ${random.int(0, 9)}) {\n    return ${noun()};\n  }`,
        () => `  // ${noun()} ${noun()}`,
      ])(),
    );
  }
  return [...lines, '}'].flatMap((line) => line.split('\n'));
}
