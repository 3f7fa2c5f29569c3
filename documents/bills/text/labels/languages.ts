/** Words that tell the language of a page. */

export const LANGUAGES = {
  de: /\b(und|der|die|rechnung|gutschrift|datum|betrag|mwst|ust|zahlbar|bankverbindung|fallig)\b/g,
  en: /\b(and|the|invoice|credit|date|amount|due|vat|please|bank|total|payment)\b/g,
  fr: /\b(et|le|la|facture|avoir|date|montant|tva|ttc|ht|echeance|paiement|reglement)\b/g,
  es: /\b(y|el|la|factura|fecha|importe|iva|vencimiento|pago|cliente|base)\b/g,
  nl: /\b(en|het|de|factuur|creditnota|factuurdatum|bedrag|btw|vervaldatum|betaling|klant|omschrijving)\b/g,
  it: /\b(e|il|la|fattura|data|importo|iva|scadenza|pagamento|imponibile|cliente|descrizione)\b/g,
} as const
export type Language = keyof typeof LANGUAGES
