/** Names of companies as people spell them: compared without legal forms, accents and small words. */
import { transliterate } from './transliterate.ts'

/** Small words between names, which one person writes as a sign and another leaves out. */
const JOINED = /^(?:and|und|et)$/
const WORDS = /[\p{L}\p{N}\p{M}]+/gu
const IS_ASCII = /^[ -~]+$/

/**
 * Splits a name in words of Latin letters in lower case, without signs and small words. A letter without a Latin
 * spelling stays as it is.
 */
export function latinWordsIn(name: string): string[] {
  const folded = IS_ASCII.test(name) ? name.toLowerCase() : Array.from(name.normalize('NFKC'), fold).join('')
  return (folded.match(WORDS) ?? []).filter((word) => !JOINED.test(word))
}

function fold(letter: string): string {
  if (IS_ASCII.test(letter)) return letter.toLowerCase()
  if (!/[\p{L}\p{N}]/u.test(letter)) return letter === '’' ? "'" : letter
  const latin = transliterate(letter)
  return latin === '' || latin === '.' ? letter.toLowerCase() : latin.toLowerCase()
}

const byLine = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((form) => form.trim())
    .filter(Boolean)

/** Legal forms as latinWordsIn() and joinInitials() write them, by language; longer ones are tried first. */
const FORMS = byLine(`
  gmbh, gesellschaft mbh, ges mbh, gesmbh, gesellschaft mit beschraenkter haftung, mbh, ggmbh, ag, aktiengesellschaft
  kg, kommanditgesellschaft, kgaa, kommanditgesellschaft auf aktien, ohg, offene handelsgesellschaft, og, gbr, gesbr
  ug, ug haftungsbeschraenkt, unternehmergesellschaft haftungsbeschraenkt, unternehmergesellschaft, ek, ekfm, ekfr
  eingetragener kaufmann, eingetragene kauffrau, eu, ev, eingetragener verein, eg, eingetragene genossenschaft, se
  ltd, limited, pty ltd, pty limited, proprietary limited, pte ltd, pte limited, pvt ltd, private limited, pvt limited
  plc, public limited company, llp, limited liability partnership, lp, llc, limited liability company, pllc, cic
  inc, incorporated, corp, corporation, co, company, dac, designated activity company, clg, unlimited company, uc
  sa, societe anonyme, sociedad anonima, sociedade anonima, sas, societe par actions simplifiee, sasu, sarl, eurl, sci
  societe a responsabilite limitee, snc, societe en nom collectif, scop, scs, sca, selarl, sl, slu, sll, sau, slne
  sociedad limitada, sociedad de responsabilidad limitada, sociedad limitada unipersonal, sociedad anonima unipersonal
  sa de cv, s de rl de cv, srl de cv, lda, ltda, limitada, unipessoal lda, unipessoal limitada, sgps, eireli, epp
  spa, societa per azioni, srl, srls, societa a responsabilita limitata, sapa, sas di, snc di, scarl, soc coop, scpa
  bv, besloten vennootschap, nv, naamloze vennootschap, bvba, vof, cvba, cv, asbl, vzw
  as, asa, ans, enk, aps, anpartsselskab, aktieselskab, ivs, ab, aktiebolag, aktiebolaget, hb, kb, oy, oyj, oy ab, ky, tmi
  hf, ehf, ohf, sp zoo, spolka zoo, spolka z ograniczona odpowiedzialnoscia, spolka akcyjna, sp j, spj, sp k, spk, sp zoo sp k
  sp zoo spk, psa, sro, spol sro, spolecnost s rucenim omezenym, akciova spolecnost, vos, ks, kft, zrt, nyrt, rt, bt, kkt
  korlatolt felelossegu tarsasag, doo, dooel, jdoo, dd, ad, ead, eood, ood, uab, mb, sia, ou, ooo, oao, zao
  pao, ao, tov, too, ltd sti, limited sirketi, anonim sirketi, anonim sti, epe, ae, ike
  pt, tbk, bhd, sdn bhd, sdn, kk, gk, kabushiki kaisha, godo kaisha, jsc, pjsc, fze, fzc, fz llc, fzco, wll
  株式会社, 有限会社, 合同会社, 合資会社, 合名会社, 有限公司, 股份有限公司, 有限责任公司, 股份公司, 有限責任公司, 주식회사, 유한회사`)

/** Forms that also stand before a name: Latin words of their own, or signs right before it. */
const BEFORE = byLine(`
  the, firma, fa, gmbh, sarl, sas, sasu, eurl, sa, sci, snc, selarl, ooo, oao, zao, pao, ao, tov, too, ip, pt, uab, sia
  ab, as, oy, ltd, 株式会社, 有限会社, 合同会社, 주식회사`)

const isOfSigns = (form: string): boolean => /^\P{ASCII}+$/u.test(form)
const toTails = (forms: readonly string[]): RegExp => {
  const longest = forms.toSorted((a, b) => b.length - a.length)
  return new RegExp(`(?:(?<=\\S)(?: (?:${longest.join('|')})|(?:${longest.filter(isOfSigns).join('|')})))$`, 'u')
}
const toHeads = (forms: readonly string[]): RegExp =>
  new RegExp(`^(?:(?:${forms.join('|')}) |(?:${forms.filter(isOfSigns).join('|')}))(?=\\S)`, 'u')
const [TAIL, HEAD] = [toTails(FORMS), toHeads(BEFORE)]

/** Joins single letters in a row, as in `S.A.R.L.` or `sp. z o.o.`. */
const joinInitials = (words: readonly string[]): string =>
  words.join(' ').replaceAll(/(?<!\S)[a-z](?: [a-z](?!\S))+/gu, (letters) => letters.replaceAll(' ', ''))

/** Splits a name in Latin words without its legal forms; a name of nothing else keeps the last that is left. */
export function nameWordsIn(name: string): string[] {
  let left = joinInitials(latinWordsIn(name))
  for (let before = ''; before !== left;) {
    before = left
    left = left.replace(TAIL, '').replace(HEAD, '')
  }
  return left.split(' ').filter(Boolean)
}

/** Letters that one person writes with a sign above, and others as two letters or as one. */
const DIGRAPHS: Readonly<Record<string, string>> = { ae: 'a', oe: 'o', ue: 'u', aa: 'a' }

/** Writes `mueller` and `ostergaard` as those do who leave out the signs: `muller`, `ostergard`. */
export const withoutDigraphs = (word: string): string =>
  word.replaceAll(/ae|oe|ue|aa/g, (pair) => DIGRAPHS[pair] ?? pair)

/**
 * Computes the key of a company's name: equal for names that differ in legal form, case, accents, umlauts, signs, spaces
 * or alphabet alone. Empty for a name without letters and digits.
 */
export const companyKeyOf = (name: string): string => withoutDigraphs(nameWordsIn(name).join(''))
