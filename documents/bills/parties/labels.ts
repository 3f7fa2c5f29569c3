/** Labels of the parties of a bill and of their tax ids, in the languages of Europe. */
import { beginning, exactly, oneOf } from '../phrases.ts'

/** Headings of the customer's block. */
export const CUSTOMER_LABEL = beginning(`
  (?:invoice )?issued (?:to|for)
  (?:bill|billed|invoice|invoiced|sold|ship|shipped|deliver|delivered|charge|charged|credit|issued|prepared|send)(?: |ed )?(?:to|for)
  (?:billing|invoice|invoicing|shipping|delivery|customer) (?:address|details|information)
  customer(?:'s)?(?: name| details)?, client(?: name| details)?, buyer, purchaser, recipient, addressee, payer
  attention, attn, for the attention of, guest(?: name)?, tenant, member, subscriber, account of, rechnung an
  rechnungs-?(?:empfanger(?:in)?|anschrift|adresse), liefer-?(?:anschrift|adresse), kund(?:e|in), kundendaten
  auftraggeber(?:in)?, leistungsempfanger(?:in)?, besteller(?:in)?, kaufer(?:in)?, empfanger(?:in)?, firma, herrn?
  frau, an, factur(?:e|ee|er) a, adresse (?:de )?(?:facturation|livraison), livre(?:e|r)? a, client(?:e)?, destinataire
  acheteur, preneur, a l'attention de, factura(?:r|do) a, datos (?:del cliente|de facturacion), comprador, adquirente
  receptor, direccion de (?:facturacion|envio|entrega), enviar a, fatura(?:r|do) a, dados do cliente, destinatario
  morada de faturacao, tomador, exmos?\\.?(?: senhor\\w*| sr\\.?)?, spett\\.?(?:le|\\.le|abile)(?: ditta)?
  fattura(?:to)? a, intestata a, acquirente, cessionario(?:[/ ]+committente)?, committente, cliente
  factu(?:ur|reren) aan, factuuradres, (?:bezorg|aflever)adres, klant(?:gegevens)?, afnemer, koper, ontvanger
  geadresseerde, t\\.?a\\.?v\\.?, debiteur, faktur(?:a|era|eras|eres) till?, faktura(?:adress(?:e)?|mottagare|mottaker)
  faktureringsadress(?:e)?, leverans?-?adress(?:e)?, leveringsadresse, kund, kunde, kopare, kober, kjoper, mottagare
  modtager, mottaker, bestallare, rekvirent, laskutus-?osoite, laskutetaan, laskun saaja, asiakas, ostaja
  vastaanottaja, toimitusosoite, tilaaja, arve saaja, klient, ostja, tellija, pircejs, klients, maksatajs
  (?:rekina |precu |pakalpojuma )?sanemejs, pasutitajs, pirkejas, klientas, moketojas, uzsakovas, gavejas, nabywca
  odbiorca, platnik, zamawiajacy, kupujacy, faktura dla, odberatel, zakaznik, kupujici, kupujuci, objednatel
  objednavatel, prijemce, prijemca, (?:fakturacni|dodaci|fakturacna|dodacia) adresa, vevo, megrendelo, ugyfel, cimzett
  befizeto, (?:szamlazasi|szallitasi) cim, cumparator(?:ul)?, client(?:ul)?, beneficiar(?:ul)?, adresa de facturare
  facturat catre, получател, купувач, клиент, платец, πελατης, στοιχεια πελατη, αγοραστης, παραληπτης, προς, kupac
  narucitelj, primatelj, platitelj, kupec, narocnik, prejemnik, placnik, klijent, xerrej, fattura lil, kont lil
  custaimeir, ceannaitheoir, alici, musteri, sayin, kaupandi, vidskiptavinur, greidandi`)

/** Headings of the supplier's block, or labels before the supplier's name. */
export const SUPPLIER_LABEL = beginning(`
  (?:invoice |bill |sent )?from, seller, supplier, vendor, merchant, (?:sold|issued|billed|provided|sent) by
  (?:service )?provider, contractor, issuer, exporter, landlord, payee, remit(?: payment)? to, (?:payable|pay) to
  make (?:all )?(?:checks|cheques) payable to, our details, company details, biller, rechnungssteller(?:in)?
  rechnung von, verkaufer(?:in)?, lieferant(?:in)?, absender(?:in)?, anbieter, leistungserbringer, aussteller
  auftragnehmer, dienstleister, vermieter, fournisseur, vendeur, emetteur, prestataire, expediteur
  (?:facture|vendu|emis|emise) par, bailleur, emisor, proveedor, vendedor, expedidor
  datos (?:del emisor|de la empresa), (?:vendido|facturado|emitido) por, emitente, fornecedor, prestador, fornitore
  cedente(?:[/ ]+prestatore)?, prestatore, mittente, emittente, venditore, leverancier, verkoper, afzender
  opdrachtnemer, factuur van, saljare, leverantor, avsandare, utfardare, saelger, leverandor, afsender, udsteder
  selger, avsender, utsteder, myyja, toimittaja, laskuttaja, lahettaja, palveluntarjoaja, muuja, teenuse osutaja
  tarnija, valjastaja, pardevejs, piegadatajs, izpilditajs, nosutitajs, pardavejas, tiekejas, vykdytojas
  paslaugu teikejas, sprzedawca, wystawca, dostawca, uslugodawca, zleceniobiorca, dodavatel, prodavajici, prodejce
  poskytovatel, predavajuci, predajca, elado, szallito, szolgaltato, kiallito, kibocsato, furnizor(?:ul)?
  vanzator(?:ul)?, prestator(?:ul)?, emitent, доставчик, продавач, издател, изпълнител, προμηθευτης, πωλητης, εκδοτης
  prodavatelj, dobavljac, izdavatelj, isporucitelj, izvodac, prodajalec, dobavitelj, izdajatelj, izvajalec, fornitur
  bejjiegh, mahrug minn, diolai, solathrai, satici, gonderen, duzenleyen, seljandi, utgefandi`)

/** Labels of a party's name in a block that is a form. */
export const NAME_LABEL = exactly(`
  (?:company |business |full |legal |firm )?name, company, business, firma, firmenname, unternehmen, nom
  raison sociale, societe, entreprise, nombre, razon social, empresa, nome, ragione sociale, azienda, denominazione
  naam, bedrijf, bedrijfsnaam, navn, namn, foretag, firmanavn, nimi, yritys, nosaukums, pavadinimas, nazwa, nazev
  nazov, nev, cegnev, denumire, nume, име, наименование, фирма, επωνυμια, ονομα, naziv, ime, isem, ainm, unvan`)

/** Short words that head a supplier's block only if they stand alone. */
export const FROM = /^(?:from|von|de|da|van|fra|fran|από|απο|od|minn|o)\s*:?$/

/** Labels of tax ids, VAT ids, and numbers in registers that serve as them. */
export const TAX_LABEL = oneOf(`
  matricule fiscal(?:e)?, identifiant unique,   (?:tax |vat |business )?reg(?:istration|\\.)? ?(?:no\\.?|number), registration no\\.?, tax (?:id|number|no\\.?), 登録番号
  v\\.?a\\.?t\\.?, gst(?:in)?, hst, pst, qst, tax, tin, ein, abn, acn, uen, trn, pan, ust, umsatzsteuer\\w*
  ust\\.?-?\\s?id[^ ]*, steuer\\w*, st\\.?-?nr, uid(?:-?nr[^ ]*)?, mwst, atu, t\\.?v\\.?a\\.?, siret, siren
  n\\.?i\\.?f\\.?, c\\.?i\\.?f\\.?, nit, rfc, r\\.?u\\.?t\\.?, c\\.?u\\.?i\\.?t\\.?, kra pin, npwp, sst, bin, cnpj, nipc, contribuinte, i\\.?v\\.?a\\.?, p\\.? ?iva
  partita iva, cod(?:ice)? fiscale?, c\\.?f\\.?, btw[^ ]*, ob-?nummer, kvk[^ ]*, rsin, moms[^ ]*
  org\\.?\\s?-?(?:nr|nummer|no)[^ ]*, organisasjonsnummer, organisationsnummer, orgnr, cvr[^ ]*, mva, foretaksregisteret
  vsk[^ ]*, kennitala, alv[^ ]*, y-tunnus, kmkr[^ ]*, kmk, pvn[^ ]*, pvm[^ ]*, imones kodas, nip, regon, dic, ic dph, ico
  adoszam[^ ]*, kozossegi adoszam, c\\.?u\\.?i\\.?, cif, cod (?:de )?(?:tva|unic), ддс, еик, булстат, зддс, ин, αφμ
  α\\.φ\\.μ\\.?, oib, pdv[^ ]*, ddv[^ ]*, davcna[^ ]*, id za ddv, vergi[^ ]*, vkn`)
