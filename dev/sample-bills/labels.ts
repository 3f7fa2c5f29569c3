/** Labels of printed bills: three variants in each of six languages. */
import type { Language } from './model.ts'

/** Gives a label by its name, some with a value in it. */
export type Labels = (name: string, value?: number | string) => string

/** Variants are separated by `/`; a single one counts for all. */
const PHRASES: Readonly<Record<Language, string>> = {
  de: `
    title: Rechnung/RECHNUNG/Rechnung; credit: Gutschrift/Rechnungskorrektur/GUTSCHRIFT;
    number: Rechnungsnummer/Rechnungs-Nr./Belegnr.; issued: Rechnungsdatum/Datum/Belegdatum;
    due: Fällig am/Zahlbar bis/Fälligkeitsdatum; customer: Kundennummer/Kunden-Nr./Ihre Kundennr.;
    to: Rechnung an/Rechnungsempfänger/Kunde; from: Rechnungssteller/Absender/Lieferant;
    item: Bezeichnung/Leistung/Beschreibung; quantity: Menge/Anzahl/Menge; price: Einzelpreis/Preis/E-Preis;
    sum: Gesamt/Summe/Betrag; subtotal: Summe der Positionen/Positionen/Warenwert;
    allowance: Rabatt/Nachlass/abzüglich Rabatt; charge: Versandkosten/Fracht/Zuschlag;
    net: Nettobetrag/Summe netto/Zwischensumme netto; tax: {} % MwSt./USt. {} %/zzgl. {} % Umsatzsteuer;
    gross: Gesamtbetrag/Rechnungsbetrag/Bruttobetrag; prepaid: Anzahlung/Bereits gezahlt/abzüglich Anzahlung;
    rounding: Rundung; payable: Zu zahlen/Zahlbetrag/Zu zahlender Betrag;
    bank: Bankverbindung/Unsere Bankverbindung/Zahlung auf; holder: Kontoinhaber;
    reference: Verwendungszweck/Verwendungszweck/Zahlungsreferenz; vatId: USt-IdNr./USt-ID/Umsatzsteuer-ID;
    taxNumber: Steuernummer/Steuer-Nr./St.-Nr.;
    theirAccount: Ihre Bankverbindung/Ihr Konto/Ihre IBAN für Erstattungen;
    debited: Der Betrag wird per SEPA-Lastschrift von Ihrem Konto {} eingezogen.;
    card: Der Betrag wurde mit Kreditkarte bezahlt.;
    thanks: Vielen Dank für Ihren Auftrag/Wir danken für das Vertrauen/Es gelten unsere Geschäftsbedingungen`,
  en: `
    title: Invoice/INVOICE/Tax Invoice; credit: Credit Note/CREDIT NOTE/Credit Memo;
    number: Invoice number/Invoice No./Invoice #; issued: Invoice date/Date/Date of issue;
    due: Due date/Payment due/Pay by; customer: Customer number/Customer No./Account ref.;
    to: Bill to/Invoice to/Customer; from: From/Supplier/Seller; item: Description/Item/Details;
    quantity: Qty/Quantity/Units; price: Unit price/Rate/Price; sum: Amount/Line total/Total;
    subtotal: Lines/Goods/Items; allowance: Discount/Less discount/Discount; charge: Delivery/Carriage/Shipping;
    net: Subtotal/Net amount/Total excl. VAT; tax: VAT {}%/VAT ({}%)/VAT at {} %;
    gross: Total/Invoice total/Total incl. VAT; prepaid: Amount paid/Deposit/Less payments received;
    rounding: Rounding; payable: Amount due/Balance due/Total due; bank: Bank details/Payment details/Please pay to;
    holder: Account name; reference: Payment reference/Reference for payment/Payment ref.;
    vatId: VAT No./VAT number/VAT Reg. No.; taxNumber: Tax number/Tax ID/Tax No.;
    theirAccount: Your bank account/Your account on file/Your IBAN for refunds;
    debited: This amount will be collected by direct debit from your account {}.;
    card: Paid by card. Nothing more is due.;
    thanks: Thank you for your business/We appreciate your custom/Goods remain ours until paid for`,
  fr: `
    title: Facture/FACTURE/Facture; credit: Avoir/AVOIR/Note de crédit;
    number: Numéro de facture/Facture n°/N° de facture; issued: Date de facture/Date/Date d’émission;
    due: Date d’échéance/Échéance/À payer avant le; customer: Numéro de client/N° client/Réf. client;
    to: Facturé à/Adresse de facturation/Client; from: Émetteur/Fournisseur/Vendeur;
    item: Désignation/Description/Prestation; quantity: Qté/Quantité/Nombre; price: Prix unitaire/P.U. HT/Prix;
    sum: Montant/Total HT/Somme; subtotal: Lignes/Articles/Marchandises; allowance: Remise/Rabais/Remise;
    charge: Port/Frais de port/Livraison; net: Total HT/Montant HT/Sous-total HT; tax: TVA {} %/TVA ({} %)/TVA à {} %;
    gross: Total TTC/Montant TTC/Montant total TTC; prepaid: Acompte/Déjà réglé/Acompte versé; rounding: Arrondi;
    payable: Net à payer/Reste à payer/Total à payer; bank: Coordonnées bancaires/Règlement par virement/Notre banque;
    holder: Titulaire; reference: Référence de paiement/Référence du virement/Communication;
    vatId: N° TVA/TVA intracommunautaire/N° de TVA; taxNumber: Numéro fiscal/N° fiscal/Numéro fiscal;
    theirAccount: Votre compte/Votre IBAN/Compte client pour remboursements;
    debited: Ce montant sera prélevé sur votre compte {}.; card: Facture réglée par carte bancaire : payée par carte.;
    thanks: Merci de votre confiance/Nous vous remercions/Conditions générales au verso`,
  es: `
    title: Factura/FACTURA/Factura; credit: Factura rectificativa/Nota de abono/ABONO;
    number: Número de factura/Factura nº/Nº de factura; issued: Fecha de factura/Fecha/Fecha de emisión;
    due: Fecha de vencimiento/Vencimiento/Pagar antes del; customer: Número de cliente/Nº cliente/Cód. cliente;
    to: Facturar a/Datos del cliente/Cliente; from: Emisor/Proveedor/Vendedor; item: Descripción/Concepto/Detalle;
    quantity: Cant./Cantidad/Unidades; price: Precio/Precio unitario/P. unit.; sum: Importe/Suma/Total línea;
    subtotal: Líneas/Artículos/Mercancía; allowance: Descuento; charge: Portes/Envío/Transporte;
    net: Base imponible/Importe neto/Total sin IVA; tax: IVA {} %/IVA ({}%)/I.V.A. {} %;
    gross: Total factura/Importe total/Total con IVA; prepaid: Anticipo/Pagado/A cuenta: anticipo; rounding: Redondeo;
    payable: Total a pagar/Importe a pagar/Neto a pagar;
    bank: Datos bancarios/Forma de pago: transferencia/Cuenta para el pago; holder: Titular;
    reference: Referencia de pago/Concepto de pago/Referencia de transferencia; vatId: NIF/CIF/N.I.F.;
    taxNumber: NIF/CIF/N.I.F.; theirAccount: Su cuenta/Cuenta del cliente/Su IBAN para devoluciones;
    debited: El importe se cargará en su cuenta {} por domiciliación bancaria.; card: Importe pagado con tarjeta.;
    thanks: Gracias por su confianza/Le agradecemos su pedido/Condiciones al dorso`,
  nl: `
    title: Factuur/FACTUUR/Factuur; credit: Creditnota/CREDITNOTA/Creditfactuur;
    number: Factuurnummer/Factuurnr./Factuur nr.; issued: Factuurdatum/Datum/Factuurdatum;
    due: Vervaldatum/Te betalen voor/Uiterste betaaldatum; customer: Klantnummer/Klantnr./Uw klantnummer;
    to: Factuur aan/Factuuradres/Klant; from: Leverancier/Afzender/Verkoper; item: Omschrijving/Artikel/Beschrijving;
    quantity: Aantal; price: Prijs/Tarief/Stukprijs; sum: Bedrag/Regeltotaal/Som; subtotal: Regels/Goederen/Artikelen;
    allowance: Korting; charge: Verzendkosten/Vracht/Bezorging; net: Subtotaal/Nettobedrag/Totaal excl. btw;
    tax: Btw {}%/BTW {} %/{}% btw; gross: Totaalbedrag/Totaal incl. btw/Factuurbedrag;
    prepaid: Aanbetaling/Reeds voldaan/Reeds betaald; rounding: Afronding;
    payable: Te betalen/Totaal te betalen/Te voldoen; bank: Bankgegevens/Betaling op/Onze bankrekening;
    holder: T.n.v.; reference: Betalingskenmerk/O.v.v./Betalingskenmerk; vatId: Btw-nummer/BTW-id/Btw nr.;
    taxNumber: Fiscaal nummer: Tax ID/Tax ID/Tax No.;
    theirAccount: Uw bankrekening/Uw IBAN/Uw rekening voor terugbetaling;
    debited: Dit bedrag wordt per automatische incasso van uw rekening {} afgeschreven.;
    card: Dit bedrag is betaald met creditcard.;
    thanks: Bedankt voor uw opdracht/Dank voor uw vertrouwen/Onze voorwaarden zijn van toepassing`,
  it: `
    title: Fattura/FATTURA/Fattura; credit: Nota di credito/NOTA DI CREDITO/Nota di accredito;
    number: Numero fattura/Fattura n./N. fattura; issued: Data fattura/Data/Data di emissione;
    due: Scadenza/Data scadenza/Da pagare entro il; customer: Codice cliente/Cod. cliente/N. cliente;
    to: Spett.le/Destinatario/Cliente; from: Fornitore/Cedente/Mittente; item: Descrizione/Articolo/Prestazione;
    quantity: Q.tà/Quantità/Qtà; price: Prezzo/Prezzo unitario/P. unit.; sum: Importo/Somma/Totale riga;
    subtotal: Righe/Merce/Articoli; allowance: Sconto; charge: Spese di spedizione/Trasporto/Consegna;
    net: Imponibile/Totale imponibile/Totale netto; tax: IVA {}%/IVA ({} %)/I.V.A. {} %;
    gross: Totale fattura/Totale documento/Totale IVA inclusa; prepaid: Acconto/Già pagato/Acconto versato;
    rounding: Arrotondamento; payable: Totale da pagare/Netto a pagare/Totale dovuto;
    bank: Coordinate bancarie/Pagamento tramite bonifico/La nostra banca; holder: Intestatario;
    reference: Causale/Riferimento pagamento/Causale del bonifico; vatId: P. IVA/Partita IVA/P.IVA;
    taxNumber: Codice fiscale/C.F./Codice fiscale;
    theirAccount: Il suo conto/Vostro IBAN/Conto del cliente per rimborsi;
    debited: L’importo sarà addebitato sul vostro conto {}.; card: Importo pagato con carta.;
    thanks: Grazie per la fiducia/Cordiali saluti/Merce viaggia a rischio del committente`,
}

export function labelsOf(language: Language, way: number): Labels {
  const all = new Map(
    PHRASES[language].split(';').map((phrase) => {
      const [, name = '', ways = ''] = /(\w+): (.*)/.exec(phrase) ?? []
      return [name, ways.split('/')]
    }),
  )
  return (name, value = '') => {
    const ways = all.get(name)
    if (!ways) throw new Error(`there is no label ${name}`)
    return (ways[way % ways.length] ?? '').replace('{}', String(value))
  }
}
