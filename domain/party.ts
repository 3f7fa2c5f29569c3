import * as v from 'valibot'
import { bareTaxId, isVatId } from './tax-ids.ts'
import { Country } from './country.ts'
import { model, line, nullableText } from './text.ts'

const VAT_ID_CHARACTERS_MAX = 32

/** A postal address as a request gives it (EN 16931, BG-5 and BG-8). */
export const NewPostalAddress = model('NewPostalAddress', {
  line1: line(1, 255),
  line2: v.optional(v.nullable(line(1, 255)), null),
  postal_code: line(1, 32),
  city: line(1, 255),
  country_code: Country,
})

export const PostalAddress = model('PostalAddress', {
  line1: v.string(),
  line2: nullableText,
  postal_code: v.string(),
  city: v.string(),
  country_code: v.string(),
})
export type PostalAddress = v.InferOutput<typeof PostalAddress>

/** Writes an address in one line, or in several with another separator. */
export const addressLine = (
  { line1, line2, postal_code, city, country_code }: PostalAddress,
  separator = ', ',
): string => [line1, line2, [postal_code, city].join(' '), country_code].filter(Boolean).join(separator)

/** Checks the form of a VAT id; Northern Ireland (XI) has the numbers of the United Kingdom. */
const isVatForm = (written: string): boolean => isVatId(bareTaxId(written).replace(/^XI/, 'GB'))

/** VAT id of the EU or a neighbour, normalized. Checks no check digits: new series precede their published rules. */
export const VatId = v.pipe(
  line(0, VAT_ID_CHARACTERS_MAX),
  v.check(isVatForm, 'must be a VAT identification number such as DE136695976'),
  v.transform(bareTaxId),
)
