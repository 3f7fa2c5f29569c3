/**
 * `npm run data:iso-codes -- <folder>`: replaces countries and subdivisions from Debian's iso-codes package, unpacked
 * (`apt-get download iso-codes && dpkg -x iso-codes_*.deb <folder>`).
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const DATA = new URL('../domain/data/iso-codes/', import.meta.url)

/** Names of a locale in gettext, by the English name or, for a subdivision, a local one. */
type Catalogue = { readonly locale: string; readonly names: ReadonlyMap<string, string> }
type Translation = { readonly locale: string; readonly name: string }

type IsoCountry = { alpha_2: string; alpha_3: string; name: string; common_name?: string }
type IsoSubdivision = { code: string; name: string }

export const countriesOf = (countries: readonly IsoCountry[], catalogues: readonly Catalogue[]) =>
  countries
    .map(({ alpha_2: alpha2, alpha_3: alpha3, name, common_name: common }) => ({
      alpha2,
      alpha3,
      name: tidy(common ?? name),
      translations: translationsOf(catalogues, common ? [common, name] : [name]),
    }))
    .toSorted((a, b) => (a.alpha2 < b.alpha2 ? -1 : 1))

export const subdivisionsOf = (subdivisions: readonly IsoSubdivision[], catalogues: readonly Catalogue[]) =>
  subdivisions
    .map(({ code, name }) => ({ code, name: tidy(name), translations: translationsOf(catalogues, [name]) }))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))

/** Translates by the first name that each catalogue knows; sorted by locale. */
function translationsOf(catalogues: readonly Catalogue[], names: readonly string[]): Translation[] {
  const found = catalogues.flatMap(({ locale, names: known }) => {
    const name = names.map((one) => known.get(one)).find((one) => one !== undefined)
    return name === undefined ? [] : [{ locale, name }]
  })
  return found.toSorted((a, b) => (a.locale < b.locale ? -1 : 1))
}

const tidy = (name: string): string => name.normalize('NFC').trim()

/** Latin script in gettext's names; iqtelif is a spelling of it. */
const LATIN: readonly (string | undefined)[] = ['latin', 'iqtelif']

/** Turns a gettext locale into its BCP 47 tag: `pt_BR` is pt-BR, `sr@latin` sr-Latn. */
export function localeTag(locale: string): string {
  const [, tag = '', modifier] = /^([A-Za-z_]+)(?:@([a-z]+))?$/.exec(locale) ?? []
  const isLatin = LATIN.includes(modifier)
  if (tag === '' || (modifier && !isLatin)) throw new Error(`an unknown locale: ${locale}`)
  return `${tag.replaceAll('_', '-')}${isLatin ? '-Latn' : ''}`
}

/** Reads the messages of a .mo file by source text. Throws unless it is one in UTF-8. */
export function messagesOf(mo: Buffer): Map<string, string> {
  if (mo.readUInt32LE(0) !== 0x950412de) throw new Error('no .mo file of a little-endian machine')
  const [count, originals, translations] = [mo.readUInt32LE(8), mo.readUInt32LE(12), mo.readUInt32LE(16)]
  const textAt = (table: number, index: number) => {
    const [length, offset] = [mo.readUInt32LE(table + index * 8), mo.readUInt32LE(table + index * 8 + 4)]
    return mo.toString('utf8', offset, offset + length)
  }
  const messages = new Map<string, string>()
  for (let i = 0; i < count; i += 1) messages.set(textAt(originals, i), textAt(translations, i))
  if (!/charset=utf-8/i.test(messages.get('') ?? '')) throw new Error('messages in another character set')
  messages.delete('') // the header of the file
  return messages
}

function cataloguesIn(folder: string, domain: string): Catalogue[] {
  const locales = join(folder, 'usr/share/locale')
  return readdirSync(locales).flatMap((name) => {
    const path = join(locales, name, 'LC_MESSAGES')
    if (!readdirSync(path).includes(`${domain}.mo`)) return []
    const messages = [...messagesOf(readFileSync(join(path, `${domain}.mo`)))]
    return [{ locale: localeTag(name), names: new Map(messages.map(([key, text]) => [key, tidy(text)])) }]
  })
}

function listIn<Item>(folder: string, standard: string): Item[] {
  // the schema beside it guarantees this shape
  const file = JSON.parse(
    readFileSync(join(folder, `usr/share/iso-codes/json/iso_${standard}.json`), 'utf8'),
  ) as Record<string, Item[]>
  return file[standard] ?? []
}

function write(name: string, items: readonly object[]): void {
  const lines = Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: lines.length }
  writeFileSync(new URL(`${name}.ndjson.br`, DATA), brotliCompressSync(lines, { params }))
  console.log(`${name}: ${items.length}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new Error('which folder is the package unpacked into?')
  write('countries', countriesOf(listIn(folder, '3166-1'), cataloguesIn(folder, 'iso_3166-1')))
  write('subdivisions', subdivisionsOf(listIn(folder, '3166-2'), cataloguesIn(folder, 'iso_3166-2')))
  console.log(
    'Write the version of the package into domain/data/iso-codes/README.md. Now: npx vitest run test/domain/reference',
  )
}
