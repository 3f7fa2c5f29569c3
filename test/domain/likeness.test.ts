import { expect, test } from 'vitest'
import { companyKeyOf } from '../../domain/company-names.ts'
import { isOwnTaxId, taxIdKeyOf } from '../../domain/tax-id-keys.ts'
import { hasVatCheckDigits, isVatId } from '../../domain/tax-ids.ts'

const onlyOne = (keys: readonly (string | null)[]) => [...new Set(keys)]

test.each([
  ['Switzerland', 'CHE-107.787.577 MWST|CHE-107.787.577|CHE-107.787.577 TVA|CHE107787577IVA|107.787.577|CH 107787577'],
  ['Germany', 'DE136695976|136695976|DE 136 695 976|USt-IdNr. DE136695976|de136695976'],
  ['Norway', 'NO 923609016 MVA|923609016|NO923609016|923 609 016 MVA'],
  ['Greece', 'EL094259216|GR094259216|094259216|EL 094 259 216'],
  ['Northern Ireland', 'GB123456789|XI123456789|123456789|GB 123 4567 89'],
  ['Belgium', 'BE0428759497|BE 428.759.497|BE428759497|0428.759.497|BTW BE 0428.759.497'],
  [
    'France',
    'FR44732829320|FR 44 732 829 320|732829320|732 829 320 00074|SIREN 732 829 320|44732829320|SIRET 73282932000074',
  ],
  ['Austria', 'ATU37675002|AT U37675002|U37675002|37675002|UID ATU37675002'],
  ['Australia', '51 824 753 556|ABN 51 824 753 556|51824753556|ACN 824 753 556'],
  ['India', '27AAPFU0939F1ZV|AAPFU0939F|GSTIN: 27AAPFU0939F1ZV|PAN AAPFU0939F|IN 27AAPFU0939F1ZV|29AAPFU0939F2ZS'],
  ['the Netherlands', 'NL004495445B01|004495445B01|004495445'],
  ['Sweden', 'SE556012579001|556012-5790|SE 556012-5790 01'],
  ['Hungary', 'HU12345676|12345676-2-42|12345676'],
  ['Spain', 'ESB12345674|B12345674|B-12345674|NIF B12345674'],
  ['Italy', 'IT00743110157|00743110157|P.IVA IT 00743110157'],
  ['Poland', 'PL 774-00-01-454|7740001454|NIP 774-00-01-454'],
  ['Ireland', 'IE6388047V|6388047V'],
])('tax ids of %s have one key however they are written', (_, spellings) => {
  expect(onlyOne(spellings.split('|').map(taxIdKeyOf))).toHaveLength(1)
})

test('other tax ids have other keys, and words without a digit none', () => {
  const others = ['DE136695976', '30/123/45678', 'ATU37675002', 'FR44732829320', 'AAPFU0939F', 'ESB12345674', 'GBGD001']
  expect(onlyOne(others.map(taxIdKeyOf))).toHaveLength(others.length)
  expect(onlyOne(['n/a', '-', '', 'VAT', 'DE'].map(taxIdKeyOf))).toEqual([null])
})

test('an own tax id is known however it is written, and the same number of another country is not own', () => {
  const own = { tax_id: '30/123/45678', vat_id: 'DE136695976', country_code: 'DE' }
  for (const written of ['136695976', 'DE 136 695 976', 'USt-IdNr. DE136695976', '3012345678'])
    expect(isOwnTaxId(written, own), written).toBe(true)
  for (const written of ['RO136695976', '136695977', '', 'DE']) expect(isOwnTaxId(written, own), written).toBe(false)
  const greek = { tax_id: null, vat_id: 'EL094259216', country_code: 'GR' }
  expect(['GR094259216', '094259216'].map((written) => isOwnTaxId(written, greek))).toEqual([true, true])
})

test('ids of Greece and Northern Ireland under both prefixes, of sellers outside the EU, and of departments are VAT ids', () => {
  const accepted = ['EL094259216', 'GR094259216', 'XI980780684', 'GB980780684', 'EU372022452', 'GBGD001', 'GBHA599']
  expect(accepted.map(isVatId)).toEqual(accepted.map(() => true))
  const refused = ['GR12', 'XI1', 'EU12', 'GBGD500', 'GBHA499', 'XX123456789']
  expect(refused.map(isVatId)).toEqual(refused.map(() => false))
  for (const id of ['EL094259216', 'GR094259216', 'XI980780684', 'GBGD001'])
    expect(hasVatCheckDigits(id), id).toBe(true)
  for (const id of ['GR094259217', 'XI980780685']) expect(hasVatCheckDigits(id), id).toBe(false)
})

test.each([
  'Müller GmbH|Mueller Gesellschaft mbH|MUELLER G.m.b.H.|Müller Ges.m.b.H.|Muller GmbH & Co. KG|Müller',
  'Käthe Müller & Söhne GmbH|KAETHE MUELLER + SOEHNE GMBH|Kathe Muller und Sohne',
  'Smith & Sons Ltd|Smith and Sons Limited|SMITH + SONS LTD.|Smith & Sons Pty Ltd',
  'Łódź Sp. z o.o.|Lodz Spółka z o.o.|LODZ SP ZOO|Łódź spółka z ograniczoną odpowiedzialnością',
  'Dupont SARL|SARL Dupont|Dupont S.A.R.L.|DUPONT|Dupont SAS',
  'Østergård A/S|Ostergaard AS|OESTERGAARD ApS',
  'Søren|Soren ApS|Søren',
  'Þór ehf.|Thor',
  '株式会社東京|東京株式会社|東京',
  'ООО «Ромашка»|Ромашка|OOO Romashka',
  'Acme Co., Ltd.|Acme Inc.|ACME',
])('%s are one name', (spellings) => {
  expect(onlyOne(spellings.split('|').map(companyKeyOf))).toHaveLength(1)
})

test('other names have other keys, and a name of legal forms alone keeps one', () => {
  const others = ['Müller', 'Miller', 'Möller', 'Mahler', 'Smith', 'Smith Sons', 'AG', 'Acme', 'Acne', '東京', '京都']
  expect(onlyOne(others.map(companyKeyOf))).toHaveLength(others.length)
  expect([' ', '—', ''].map(companyKeyOf)).toEqual(['', '', ''])
  expect(companyKeyOf('Limited')).toBe('limited')
})
