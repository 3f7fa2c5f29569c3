/** Conversion of the files of the package iso-codes into the served lists. */
import { expect, test } from 'vitest'
import { countriesOf, localeTag, messagesOf, subdivisionsOf } from '../../dev/iso-codes.ts'

function moOf(messages: Record<string, string>): Buffer {
  const texts = [...Object.keys(messages), ...Object.values(messages)].map((text) => Buffer.from(`${text}\0`))
  const count = texts.length / 2
  const head = [0x950412de, 0, count, 28, 28 + count * 8, 0, 0]
  let offset = 28 + count * 16
  for (const text of texts) {
    head.push(text.length - 1, offset)
    offset += text.length
  }
  return Buffer.concat([Buffer.from(Uint32Array.from(head).buffer), ...texts])
}

const HEADER = { '': 'Language: de\nContent-Type: text/plain; charset=UTF-8\n' }
const catalogue = (locale: string, names: Record<string, string>) => ({ locale, names: new Map(Object.entries(names)) })

test('messages are read as they are, without what is said of the file', () => {
  const messages = { Wien: 'Vienna', Île: 'Ἴλη' }
  expect(Object.fromEntries(messagesOf(moOf({ ...HEADER, ...messages })))).toEqual(messages)
  expect(() => messagesOf(moOf({ '': 'Content-Type: text/plain; charset=ISO-8859-1\n' }))).toThrow('character set')
  expect(() => messagesOf(Buffer.from('msgid "a" msgstr "b" of some .po file'))).toThrow('.mo')
})

test('a locale has its tag', () => {
  const locales = ['de', 'pt_BR', 'sr@latin', 'tt@iqtelif', 'zh_Hant', 'tl']
  expect(locales.map(localeTag)).toEqual(['de', 'pt-BR', 'sr-Latn', 'tt-Latn', 'zh-Hant', 'tl'])
})

test('a locale of another form ends the conversion', () => {
  for (const locale of ['ca@valencia', 'de_DE.UTF-8', '', 'constructor@constructor'])
    expect(() => localeTag(locale), locale).toThrow('unknown locale')
})

const translations = (written: Record<string, string>) =>
  Object.entries(written).map(([locale, name]) => ({ locale, name }))

test('subdivisions come in the order of codes, with the translations that there are, by locale', () => {
  const given = [
    { code: 'AT-9', name: 'Wien' },
    { code: 'AT-1', name: ' A\u0301 ' },
  ]
  expect(subdivisionsOf(given, [catalogue('sr', { Wien: 'Беч' }), catalogue('cs', { Wien: 'Vídeň' })])).toEqual([
    { code: 'AT-1', name: 'Á', translations: [] },
    { code: 'AT-9', name: 'Wien', translations: translations({ cs: 'Vídeň', sr: 'Беч' }) },
  ])
})

test('a country bears its common name, and its formal one in a language that has no other', () => {
  const formal = 'Bolivia, Plurinational State of'
  const bolivia = { alpha_2: 'BO', alpha_3: 'BOL', name: formal, common_name: 'Bolivia' }
  const catalogues = [
    catalogue('de', { Bolivia: 'Bolivien', [formal]: 'Bolivien, Plurinationaler Staat' }),
    catalogue('xx', { [formal]: 'Buliwya' }),
    catalogue('yy', {}),
  ]
  const written = translations({ de: 'Bolivien', xx: 'Buliwya' })
  expect(countriesOf([bolivia], catalogues)).toEqual([
    { alpha2: 'BO', alpha3: 'BOL', name: 'Bolivia', translations: written },
  ])
})
