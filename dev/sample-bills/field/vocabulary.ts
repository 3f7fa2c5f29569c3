/** Words of every kind of page, in the order of `words.ts`; `~` parts the vocabularies of the halves. */
export type Vocabulary = Readonly<Record<string, { readonly core: string; readonly more?: string }>>

export const VOCABULARY: Vocabulary = {
  de: {
    core: `Rechnung~Faktura|Rechnungsnummer~Beleg-Nr.|Rechnungsdatum~Ausgestellt am|Zahlbar bis~Fälligkeitsdatum
      |Rechnung an~Rechnungsempfänger|Kundennummer~Kd.-Nr.|Beschreibung~Bezeichnung|Menge~Anz.|Einzelpreis~E-Preis
      |Betrag~Gesamtpreis|Summe netto~Zwischensumme|zzgl. MwSt.~Umsatzsteuer|Gesamtbetrag~Rechnungssumme brutto
      |Zu zahlender Betrag~Offener Betrag|Bankverbindung~Überweisung an|Kontoinhaber~Zahlungsempfänger
      |Verwendungszweck~Zahlungsreferenz|USt-IdNr.~UID|Vielen Dank für Ihren Auftrag!~Wir danken für Ihr Vertrauen.
      |Seite~Blatt`,
    more: `Bezahlt mit Visa •••• {4}~Der Betrag wurde von Ihrer Mastercard (**** {4}) abgebucht.
      |Status~Zahlungsstatus|Bezahlt~Beglichen|Zahlungsart~Zahlweise|Kreditkarte **** {4}~Visa-Karte, endet auf {4}
      |Der Betrag wird per SEPA-Lastschrift von Ihrem Konto {iban} eingezogen.~Wir buchen den Rechnungsbetrag zum {due} von Ihrem Konto {iban} ab.
      |Gutschrift~Rechnungskorrektur|Proforma-Rechnung~Proformarechnung|Angebot~Kostenvoranschlag
      |Kontoauszug~Offene-Posten-Liste|Lieferschein~Versandschein|Auftragsbestätigung~Bestellbestätigung
      |Mahnung~Zahlungserinnerung|Gutschrift im Gutschriftsverfahren~Abrechnung im Gutschriftsverfahren
      |Kassenbon~Quittung|Bar~Gegeben|Rückgeld~Zurück|Anzahlung~Bereits bezahlt|Saldo~Restbetrag
      |Nach dieser Rate verbleibt ein Restbetrag von {x}.~Ihre Restschuld beträgt danach noch {x}.
      |Im Jahr 2024 betrugen Ihre Kosten {x}.~Ihr Verbrauch vom 01.01.2024 bis 31.12.2024 kostete {x}.
      |Bitte überweisen Sie den Betrag bis zum {due}.~Wir bitten um Ausgleich bis spätestens {due}.
      |Bestellnummer~Ihre Bestellung|Lieferdatum~Leistungsdatum
      |Zahlbar innerhalb von {n} Tagen ohne Abzug.~Zahlungsziel {n} Tage netto.
      |Bei Zahlung bis {due} 2 % Skonto: {x}.~Abzüglich 2 % Skonto innerhalb von 7 Tagen: {x}`,
  },
  en: {
    core: `Invoice~Tax Invoice|Invoice number~Invoice No.|Date of issue~Inv. Date|Date due~Payment due by
      |Bill to~Billed to|Customer ID~Account ref.|Description~Details|Qty~Units|Unit price~Rate|Amount~Line total
      |Subtotal~Net total|VAT~Sales tax|Total~Invoice total|Amount due~Balance due|Bank details~Please remit to
      |Account name~Beneficiary|Payment reference~Quote this reference|VAT No.~Tax registration
      |Thank you for your business!~We appreciate your custom.|Page~Sheet`,
    more: `Paid with Visa •••• {4}~Charged to Mastercard (5*** **** **** {4})|Status~Payment status|PAID~Settled
      |Payment method~Paid via|Credit card **** {4}~Visa ending in {4}
      |This amount will be collected by Direct Debit from your account {iban} on {due}.~Your Direct Debit of the total will leave your account {iban} around {due}.
      |Credit note~Credit memo|Pro forma invoice~Proforma|Quotation~Estimate|Statement of account~Account statement
      |Delivery note~Packing slip|Order confirmation~Sales order acknowledgement|Reminder~Overdue notice
      |Self-billed invoice~Self-billing invoice|Receipt~Sales receipt|Cash~Tendered|Change~Change due
      |Paid to date~Less deposit|Balance~Outstanding balance
      |After this payment {x} will remain.~The balance after this instalment will be {x}.
      |In 2024 you spent {x} with us.~Your bill for the same period of 2024 was {x}.
      |Please pay by {due}.~Kindly settle on or before {due}.|Order number~PO No.|Delivery date~Tax point
      |Payment terms: Net {n}~Payment within {n} days of invoice date
      |2% discount if paid by {due}: {x}.~Early settlement within 7 days: {x}`,
  },
  fr: {
    core: `Facture~Note d’honoraires – Facture|Numéro de facture~Facture n°|Date de facturation~Émise le
      |Date d’échéance~À régler avant le|Facturé à~Adresse de facturation|N° client~Réf. client|Désignation~Libellé
      |Qté~Nombre|Prix unitaire~P.U. HT|Montant~Total ligne HT|Total HT~Montant net HT|TVA~Montant TVA
      |Total TTC~Montant TTC|Net à payer~Solde à payer|Coordonnées bancaires~Règlement par virement
      |Titulaire du compte~Bénéficiaire|Référence de paiement~Référence à rappeler
      |N° TVA intracommunautaire~TVA intra.|Merci de votre confiance.~Nous vous remercions de votre commande.
      |Page~Feuillet`,
    more: `Payé par Visa •••• {4}~Réglé par carte bancaire (**** {4})|Statut~État du paiement|Payée~Acquittée
      |Mode de paiement~Règlement|Carte bancaire **** {4}~CB se terminant par {4}
      |Le montant sera prélevé le {due} sur votre compte {iban}.~Prélèvement automatique au {due} (RUM 00{4}21) sur le compte {iban}.
      |Avoir~Facture d’avoir|Facture pro forma~Proforma|Devis~Proposition commerciale
      |Relevé de compte~Relevé de factures|Bon de livraison~Bordereau de livraison
      |Confirmation de commande~Accusé de réception de commande|Rappel~Relance|Autofacturation~Auto-facturation
      |Ticket de caisse~Reçu|Espèces~Espèces reçues|Rendu~Monnaie|Acompte versé~Déjà réglé|Solde~Reste dû
      |Le montant restant dû après cette mensualité sera de {x}.~Après ce paiement, il restera {x} à régler.
      |En 2024, vos dépenses ont été de {x}.~Pour rappel, votre facture de 2024 s’élevait à {x}.
      |Merci de régler avant le {due}.~Paiement attendu au plus tard le {due}.|N° de commande~Votre commande
      |Date de livraison~Date de prestation|Paiement à {n} jours.~Conditions : {n} jours net
      |Escompte de 2 % si règlement avant le {due} : {x}.~Net d’escompte (2 % sous 7 jours) : {x}`,
  },
  es: {
    core: `Factura~Factura de venta|Número de factura~Nº factura|Fecha de factura~Fecha de expedición
      |Fecha de vencimiento~Vence el|Facturar a~Datos del cliente|Nº cliente~Cód. cliente|Descripción~Concepto
      |Cantidad~Uds.|Precio unitario~P. unit.|Importe~Total línea|Base imponible~Subtotal|IVA~Cuota IVA
      |Total factura~Importe total|Total a pagar~Pendiente de pago|Datos bancarios~Forma de pago: transferencia
      |Titular~Beneficiario|Referencia de pago~Concepto de la transferencia|NIF~CIF
      |Gracias por su confianza.~Agradecemos su compra.|Página~Hoja`,
    more: `Pagado con Visa •••• {4}~Cobrado en su tarjeta Mastercard (**** {4})|Estado~Situación|Pagada~Cobrada
      |Método de pago~Medio de pago|Tarjeta de crédito **** {4}~Tarjeta terminada en {4}
      |El importe se cargará en su cuenta {iban} el {due}.~Recibo domiciliado en la cuenta {iban}, cargo el {due}.
      |Factura rectificativa~Nota de abono|Factura proforma~Proforma|Presupuesto~Oferta
      |Extracto de cuenta~Estado de cuenta|Albarán~Nota de entrega|Confirmación de pedido~Acuse de pedido
      |Recordatorio de pago~Aviso de impago|Facturación por el destinatario~Autofactura|Ticket~Factura simplificada
      |Efectivo~Entregado|Cambio~Devolución|Anticipo~Entregado a cuenta|Saldo~Resto pendiente
      |Después de este pago quedarán {x}.~El capital pendiente tras esta cuota será de {x}.
      |En 2024 su gasto fue de {x}.~El mismo periodo de 2024 sumó {x}.
      |Rogamos el pago antes del {due}.~A pagar como máximo el {due}.|Nº de pedido~Su pedido
      |Fecha de entrega~Fecha de operación|Pago a {n} días.~Condiciones: {n} días fecha factura
      |2 % de descuento por pago antes del {due}: {x}.~Con pronto pago (2 %): {x}`,
  },
  it: {
    core: `Fattura~Parcella|Numero fattura~Fattura n.|Data fattura~Emessa il|Scadenza~Da pagare entro il
      |Spett.le~Intestata a|Codice cliente~Rif. cliente|Descrizione~Dettaglio|Quantità~Q.tà|Prezzo unitario~Prezzo
      |Importo~Totale riga|Imponibile~Totale imponibile|IVA~Imposta|Totale fattura~Totale documento
      |Netto a pagare~Totale dovuto|Coordinate bancarie~Bonifico su|Intestatario~Beneficiario
      |Causale~Riferimento pagamento|P. IVA~Partita IVA|Grazie per la fiducia.~La ringraziamo per l’acquisto.
      |Pagina~Foglio`,
    more: `Pagato con Visa •••• {4}~Addebitato su carta Mastercard (**** {4})|Stato~Stato pagamento|Pagata~Saldata
      |Metodo di pagamento~Modalità di pagamento|Carta di credito **** {4}~Carta che termina con {4}
      |L’importo sarà addebitato sul Suo conto {iban} il {due}.~Addebito diretto SEPA sul conto {iban} in data {due}.
      |Nota di credito~Nota di accredito|Fattura proforma~Proforma|Preventivo~Offerta
      |Estratto conto~Situazione contabile|Documento di trasporto~Bolla di consegna|Conferma d’ordine~Conferma ordine
      |Sollecito di pagamento~Sollecito|Autofattura~Autofatturazione|Scontrino~Documento commerciale
      |Contanti~Pagamento contante|Resto~Resto|Acconto~Già versato|Saldo~Residuo
      |Dopo questa rata resteranno {x}.~Il debito residuo dopo il pagamento sarà di {x}.
      |Nel 2024 la spesa è stata di {x}.~Lo stesso periodo del 2024 ammontava a {x}.
      |Si prega di pagare entro il {due}.~Pagamento gradito entro il {due}.|N. ordine~Vs. ordine
      |Data di consegna~Data prestazione|Pagamento a {n} giorni.~Termini: {n} giorni data fattura
      |Sconto 2 % se pagato entro il {due}: {x}.~Con sconto cassa 2 %: {x}`,
  },
  nl: {
    core: `Factuur~Verkoopfactuur|Factuurnummer~Factuurnr.|Factuurdatum~Datum factuur
      |Vervaldatum~Uiterste betaaldatum|Factuur aan~Factuuradres|Klantnummer~Debiteurnummer|Omschrijving~Artikel
      |Aantal~Hoev.|Prijs~Stuksprijs|Bedrag~Regeltotaal|Subtotaal~Totaal excl. btw|BTW~Btw-bedrag
      |Totaal~Totaal incl. btw|Te betalen~Openstaand bedrag|Bankgegevens~Overmaken naar|Ten name van~Begunstigde
      |Betalingskenmerk~Kenmerk bij betaling|BTW-nummer~Btw-id
      |Bedankt voor uw bestelling.~Wij danken u voor het vertrouwen.|Pagina~Blad`,
    more: `Betaald met Visa •••• {4}~Voldaan per iDEAL (transactie {4})|Status~Betaalstatus|Betaald~Voldaan
      |Betaalmethode~Betaalwijze|Creditcard **** {4}~Mastercard eindigend op {4}
      |Het bedrag wordt op {due} automatisch afgeschreven van rekening {iban}.~Wij incasseren het bedrag rond {due} van uw rekening {iban}.
      |Creditnota~Creditfactuur|Proforma factuur~Proforma|Offerte~Prijsopgave|Rekeningoverzicht~Openstaande posten
      |Pakbon~Leverbon|Orderbevestiging~Opdrachtbevestiging|Herinnering~Aanmaning
      |Factuur uitgereikt door afnemer~Self-billing factuur|Kassabon~Bonnetje|Contant~Ontvangen|Wisselgeld~Terug
      |Aanbetaling~Reeds betaald|Saldo~Restant te betalen
      |Na deze termijn resteert {x}.~Het restbedrag na betaling is {x}.
      |In 2024 was uw verbruik {x}.~Dezelfde periode in 2024 kostte {x}.
      |Graag betalen voor {due}.~Wij verzoeken u uiterlijk {due} te betalen.|Bestelnummer~Uw order
      |Leverdatum~Prestatiedatum|Betaling binnen {n} dagen.~Betalingstermijn {n} dagen netto
      |2 % korting bij betaling voor {due}: {x}.~Met betalingskorting (2 %): {x}`,
  },
  pt: {
    core: `Fatura~Factura|Fatura n.º~N.º do documento|Data de emissão~Data da fatura|Data de vencimento~Pagar até
      |Faturar a~Exmo.(s) Sr.(s)|N.º de cliente~Cód. cliente|Descrição~Designação|Quantidade~Qtd.
      |Preço unitário~Pr. unitário|Valor~Total líquido|Subtotal~Total ilíquido|IVA~Total de IVA
      |Total~Total do documento|Total a pagar~Valor a pagar|Dados bancários~Transferência para|Titular~Beneficiário
      |Referência de pagamento~Ref. a indicar|NIF~Contribuinte n.º
      |Obrigado pela preferência.~Agradecemos a sua compra.|Página~Folha`,
    more: `Pago com Visa •••• {4}~Debitado no cartão Mastercard (**** {4})|Estado~Situação|Paga~Liquidada
      |Método de pagamento~Forma de pagamento|Cartão de crédito **** {4}~Cartão terminado em {4}
      |O valor será debitado na sua conta {iban} em {due}.~Débito direto na conta {iban} a partir de {due}.
      |Nota de crédito~Nota de crédito|Fatura proforma~Proforma|Orçamento~Proposta|Extrato de conta~Conta corrente
      |Guia de remessa~Guia de transporte|Confirmação de encomenda~Nota de encomenda|Aviso de pagamento~Lembrete
      |Autofaturação~Autofaturação|Talão~Fatura simplificada|Numerário~Entregue|Troco~Troco|Adiantamento~Já pago
      |Saldo~Valor em dívida|Depois desta prestação ficam {x}.~O capital em dívida após o pagamento será de {x}.
      |Em 2024 gastou {x}.~No mesmo período de 2024 pagou {x}.
      |Pagamento até {due}, por favor.~Deve ser pago até {due}.|N.º de encomenda~V/ pedido
      |Data de entrega~Data do serviço|Pagamento a {n} dias.~Condições: {n} dias
      |2 % de desconto até {due}: {x}.~Com desconto de pronto pagamento: {x}`,
  },
  pl: {
    core: `Faktura VAT~Faktura sprzedaży|Numer faktury~Faktura nr|Data wystawienia~Wystawiono dnia
      |Termin płatności~Zapłacić do|Nabywca~Kupujący|Nr klienta~Kod klienta|Nazwa towaru~Opis usługi|Ilość~Szt.
      |Cena netto~Cena jedn.|Wartość~Wartość pozycji|Razem netto~Wartość netto|VAT~Kwota VAT
      |Razem brutto~Wartość brutto|Do zapłaty~Pozostało do zapłaty|Dane do przelewu~Rachunek bankowy
      |Odbiorca~Właściciel rachunku|Tytuł przelewu~Tytułem|NIP~NIP sprzedawcy
      |Dziękujemy za współpracę.~Zapraszamy ponownie.|Strona~Str.`,
    more: `Zapłacono kartą Visa •••• {4}~Opłacono kartą Mastercard (**** {4})|Status~Stan płatności
      |Zapłacono~Opłacona|Sposób płatności~Forma płatności|Karta płatnicza **** {4}~Karta kończąca się na {4}
      |Kwota zostanie pobrana z rachunku {iban} dnia {due}.~Polecenie zapłaty z rachunku {iban}, termin {due}.
      |Faktura korygująca~Korekta faktury|Faktura proforma~Pro forma|Oferta~Wycena
      |Zestawienie należności~Saldo rozrachunków|Dokument WZ~List przewozowy
      |Potwierdzenie zamówienia~Przyjęcie zamówienia|Przypomnienie o płatności~Wezwanie do zapłaty
      |Samofakturowanie~Samofakturowanie|Paragon~Paragon fiskalny|Gotówka~Otrzymano|Reszta~Wydano
      |Zaliczka~Zapłacono wcześniej|Saldo~Pozostaje|Po tej racie pozostanie {x}.~Zadłużenie po wpłacie wyniesie {x}.
      |W 2024 koszt wyniósł {x}.~Ten sam okres 2024 roku kosztował {x}.
      |Prosimy o wpłatę do {due}.~Płatne najpóźniej {due}.|Numer zamówienia~Zamówienie nr|Data dostawy~Data sprzedaży
      |Termin płatności: {n} dni.~Płatność w ciągu {n} dni
      |2 % rabatu przy płatności do {due}: {x}.~Ze skontem 2 %: {x}`,
  },
  sv: {
    core: `Faktura~Faktura|Fakturanummer~Fakturanr|Fakturadatum~Utskriftsdatum|Förfallodatum~Oss tillhanda senast
      |Faktureras~Fakturaadress|Kundnummer~Er referens|Beskrivning~Benämning|Antal~Kvantitet|À-pris~Pris/enhet
      |Belopp~Radsumma|Netto~Summa exkl. moms|Moms~Momsbelopp|Totalt~Summa inkl. moms|Att betala~Belopp att betala
      |Betalningsuppgifter~Betala till|Kontohavare~Mottagare|OCR~OCR-nummer|Momsreg.nr~VAT-nr
      |Tack för din beställning!~Tack för förtroendet.|Sida~Blad`,
    more: `Betald med Visa •••• {4}~Kortbetalning Mastercard **** {4}|Status~Betalstatus|Betald~Slutbetald
      |Betalningssätt~Betalsätt|Kreditkort **** {4}~Kort som slutar på {4}
      |Beloppet dras från ditt konto {iban} den {due}.~Autogiro: beloppet dras från konto {iban} den {due}.
      |Kreditfaktura~Kreditnota|Proformafaktura~Proforma|Offert~Prisförslag|Kontoutdrag~Reskontrautdrag
      |Följesedel~Leveranssedel|Orderbekräftelse~Ordererkännande|Betalningspåminnelse~Inkassokrav
      |Självfakturering~Självfaktura|Kvitto~Kassakvitto|Kontant~Mottaget|Växel~Tillbaka|Förskott~Redan betalt
      |Saldo~Kvar att betala|Efter denna betalning återstår {x}.~Kvarvarande skuld efter delbetalningen är {x}.
      |Under 2024 var kostnaden {x}.~Samma period 2024 kostade {x}.|Betala senast {due}.~Vänligen betala före {due}.
      |Ordernummer~Er order|Leveransdatum~Leveransdag|Betalningsvillkor {n} dagar.~Betalas inom {n} dagar netto
      |2 % kassarabatt vid betalning före {due}: {x}.~Med kassarabatt: {x}`,
  },
  da: {
    core: `Faktura~Regning|Fakturanummer~Fakturanr.|Fakturadato~Udstedt den|Forfaldsdato~Sidste rettidige betaling
      |Faktureres til~Kunde|Kundenummer~Kontonr. (debitor)|Beskrivelse~Varetekst|Antal~Stk.|Enhedspris~Stk. pris
      |Beløb~Linjetotal|Subtotal~I alt ekskl. moms|Moms~25 % moms|I alt~Total inkl. moms|At betale~Beløb til betaling
      |Betalingsoplysninger~Overføres til|Kontohaver~Modtager|Betalingsreference~Betalings-ID|CVR-nr.~Momsnr.
      |Tak for handlen!~Tak for samarbejdet.|Side~Ark`,
    more: `Betalt med Visa •••• {4}~Betalt med Dankort (**** {4})|Status~Betalingsstatus|Betalt~Afregnet
      |Betalingsmåde~Betalingsmetode|Kreditkort **** {4}~Kort der ender på {4}
      |Beløbet trækkes fra din konto {iban} den {due}.~Tilmeldt Betalingsservice, trækkes den {due} fra konto {iban}.
      |Kreditnota~Kreditfaktura|Proformafaktura~Proforma|Tilbud~Prisoverslag|Kontoudtog~Saldoopgørelse
      |Følgeseddel~Leveringsseddel|Ordrebekræftelse~Ordreaccept|Rykker~Betalingspåmindelse
      |Selvfakturering~Afregningsbilag|Kvittering~Kassebon|Kontant~Modtaget|Byttepenge~Retur|Forudbetalt~A conto
      |Saldo~Restbeløb|Efter denne rate mangler {x}.~Restgæld efter betaling er {x}.
      |I 2024 var forbruget {x}.~Samme periode i 2024 kostede {x}.|Betales senest {due}.~Bedes betalt inden {due}.
      |Ordrenummer~Deres ordre|Leveringsdato~Leveret den|Betaling inden {n} dage.~Betalingsbetingelser: netto {n} dage
      |2 % kontantrabat ved betaling inden {due}: {x}.~Med kontantrabat: {x}`,
  },
  cs: {
    core: `Faktura – daňový doklad~Daňový doklad|Číslo faktury~Doklad č.|Datum vystavení~Vystaveno dne
      |Datum splatnosti~Splatno do|Odběratel~Kupující|Číslo zákazníka~Zák. číslo|Popis~Označení dodávky|Množství~Ks
      |Cena za jednotku~Jedn. cena|Částka~Celkem za položku|Základ daně~Celkem bez DPH|DPH~Výše DPH
      |Celkem s DPH~Celkem včetně DPH|Celkem k úhradě~K zaplacení|Bankovní spojení~Platba převodem
      |Majitel účtu~Příjemce|Variabilní symbol~VS|DIČ~DIČ dodavatele
      |Děkujeme za váš nákup.~Těšíme se na další spolupráci.|Strana~List`,
    more: `Zaplaceno kartou Visa •••• {4}~Uhrazeno kartou Mastercard (**** {4})|Stav~Stav platby|Zaplaceno~Uhrazeno
      |Způsob platby~Forma úhrady|Platební karta **** {4}~Karta končící na {4}
      |Částka bude stržena z účtu {iban} dne {due}.~Inkaso z účtu {iban} proběhne {due}.
      |Dobropis~Opravný daňový doklad|Proforma faktura~Zálohová faktura|Nabídka~Cenová kalkulace
      |Výpis z účtu~Přehled pohledávek|Dodací list~Průvodka|Potvrzení objednávky~Přijatá objednávka
      |Upomínka~Výzva k úhradě|Samofakturace~Vystaveno zákazníkem|Účtenka~Paragon|Hotově~Přijato|Vráceno~Zpět
      |Záloha~Již uhrazeno|Zůstatek~Zbývá doplatit|Po této splátce zbývá {x}.~Zůstatek po úhradě bude {x}.
      |V roce 2024 činila spotřeba {x}.~Stejné období 2024 stálo {x}.
      |Uhraďte prosím do {due}.~Prosíme o úhradu nejpozději {due}.|Číslo objednávky~Vaše objednávka
      |Datum dodání~Datum plnění|Splatnost {n} dní.~Platební podmínky: {n} dnů
      |Sleva 2 % při úhradě do {due}: {x}.~Se skontem 2 %: {x}`,
  },
}
