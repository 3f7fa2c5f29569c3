/** UNTDID 5305 in EN 16931: standard, zero, exempt, reverse charge, within the EU, export, outside of VAT. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const
export type TaxCategory = (typeof TAX_CATEGORIES)[number]
