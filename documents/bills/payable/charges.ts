/** Sentences about who moves the money: debits of the payer's account, and charges to a card. */
import { oneOf } from '../phrases.ts'

/** Debits of the payer's account, and references of a mandate, which only debited bills have. */
export const DEBITED = oneOf(`
  (?:per|durch|via|im|mittels|als) (?:sepa-?)?(?:basis-?|firmen-?)?(?:lastschrift\\w*|bankeinzug|einzug\\w*)
  von (?:ihrem|deinem) (?:bank|giro)?konto, (?:buchen|ziehen) wir
  (?:wird|werden|wurde|wurden) .{0,40}(?:abgebucht|eingezogen)
  (?:by|via|per|with|payment) ?:? (?:sepa |automatic )?direct debit, will debit
  (?:we|we'll|we will) (?:collect|debit) (?:this|the|your)
  (?:will be|has been|was|were|have been|is|are) (?:automatically )?(?:debited|withdrawn) (?:from|by|on)
  (?:was|were|is|are) (?:automatically )?collected from your, will be (?:automatically )?(?:debited|collected)
  (?:autopay|auto-pay|automatic payment) (?:is )?(?:on|enabled|scheduled|active), preleve(?:e|s|es)?
  (?:par|sera|seront) (?:un )?prelevement, prelevement (?:sepa|automatique|bancaire|le|du|prevu|effectue)
  date (?:de|du) prelevement, (?:reference )?unique (?:de|du) mandat, \\(rum\\), rum ?:, mandat (?:sepa )?n°
  domiciliacion bancaria, adeudo (?:directo|sepa|domiciliado), (?:se|le) (?:cargara|adeudara|cargaremos|ha cargado)
  recibo domiciliado, (?:ha sido|fue|sera) (?:cargad[oa]|adeudad[oa]|domiciliad[oa]), automatische incasso
  (?:per|via) (?:sepa-?)?incasso, (?:wordt|worden|is|werd|zijn) .{0,40}(?:afgeschreven|geincasseerd)
  addebito (?:diretto|sepa|sul|automatico|in conto|bancario), (?:sara|verra|e stato|e stata) addebitat[oa]
  domiciliazione bancaria, mandats?-?(?:referenz|ref\\.?|nummer|nr\\.?)(?:nummer)?
  mandate (?:reference|id|ref\\.?|number), direct debit mandate, referencia (?:unica )?(?:de |del |do )?mandato
  riferimento (?:del )?mandato, machtigings-?(?:kenmerk|nummer), mandaat-?(?:kenmerk|referentie|nummer|id)
  mandat(?:e|s)?-?(?:referens|reference|id), numer mandatu, reference mandatu, debito direto, (?:sera|foi) debitad[oa]
  dras (?:automatiskt )?fran (?:ditt|ert) konto, via autogiro, med autogiro
  (?:traekkes|traekkes automatisk|trekkes|belastes) (?:fra|via|din) .{0,20}(?:konto|betalingsservice|avtalegiro)
  via betalingsservice, avtalegiro, veloitetaan (?:automaattisesti )?tili\\w*, suoraveloituksella, otsekorraldusega
  polecenie[mn]? zaplaty, zostanie pobran[aey], inkasem, bude (?:strzen|inkasovan|zinkasovan)\\w*
  csoportos beszedes\\w*, prin debit(?:are)? direct\\w*, директен дебит, παγιας εντολης, direktnom? obremenitvijo
  izravnim terecenjem`)

const OWNED = '(?:(?:your|the|my|a|our|visa|corporate|business) )?(?:credit |debit |bank |visa |payment )*'
const CARD = `${OWNED}card`
const CARD_NAME = `${OWNED}(?:card|visa|master ?card|amex|american express)`

/** Charges to a card, made or to come. */
export const CHARGED = oneOf(`
  (?:per|mit) (?:kredit|debit|ec-?|bank)?-?karte (?:bezahlt|beglichen|gezahlt)
  (?:bezahlt|beglichen|gezahlt) (?:per|mit) (?:der |ihrer )?(?:kredit|debit|ec-?|bank)?-?karte
  (?:kredit|debit|bank)?-?karte .{0,30}?(?:wurde|wird) .{0,40}?belastet
  (?:wurde|wird) .{0,30}?(?:kredit|debit|bank)?-?karte .{0,30}?belastet
  (?:paid|settled|prepaid) (?:by|with|via|using|on) ${CARD}, (?:charged|billed|debited) (?:to|on|against) ${CARD_NAME}
  (?:charge|bill|debit) ${CARD_NAME}
  ${CARD_NAME} .{0,30}?(?:will be|has been|was|is being|is) (?:automatically )?(?:charged|debited|billed)
  we (?:have |will )?charged? your .{0,16}card, (?:paye|regle)e?s? (?:par|avec) (?:votre |la )?carte\\w*
  cartes? (?:bancaire |bleue |de credit |de paiement )?.{0,20}?(?:sera|a ete|est|va etre) .{0,20}?debitee?
  pagad[oa] (?:con|por|mediante) (?:su |la )?tarjeta
  (?:cargad[oa]|cargara|cargaremos|cargo|cobrad[oa]|cobrara) .{0,30}?(?:a|en|con) (?:su|la|tu) tarjeta
  (?:voor(?:uit)?)?(?:betaald|voldaan) (?:met|per|via) (?:uw |je |de )?(?:credit-? ?card|(?:betaal|bank)?kaart|(?:bank|pin)pas)
  (?:credit-? ?card|kaart) .{0,30}?(?:belast|gedebiteerd), pagat[oa] (?:con|tramite|mediante) (?:la )?carta
  (?:addebitat[oa]|addebito) .{0,20}?(?:sulla|alla|su) .{0,8}?carta, pag[oa] (?:com|por) (?:o )?cartao
  (?:debitad[oa]|cobrad[oa]) .{0,20}?(?:no|ao) .{0,8}?cartao
  bet[au]l[dt] (?:med|via) (?:konto|kredit|kreditt|betal|betalings|bank|debet)?-?kort
  (?:ditt|dit|din) (?:konto|kreditt?|betal|betalings|bank)?-?kort .{0,20}?(?:debitera|belast|treck|trae?kk?)\\w*
  (?:kortilta|luottokortilta) .{0,20}?veloite\\w*, maksettu .{0,12}?kortilla, tasutud .{0,12}?kaardiga
  (?:ap|sa)maksats ar .{0,16}?karti, apmoketa .{0,16}?kortele, (?:zaplacen[oa]|uhrazen[oa]) .{0,16}?kartou
  (?:zaplaten[aeo]|uhraden[aeo]) .{0,16}?kartou, (?:fizetve|kifizetve) .{0,16}?kartyaval
  (?:bank|hitel)kartyaval fizetve, (?:platit|achitat)[ae]? cu (?:un )?card\\w*, платено с .{0,12}?карта
  (?:πληρωθηκε|εξοφληθηκε) με .{0,16}?καρτα, placen[oa] .{0,16}?karticom, placan[oa] .{0,16}?kartico`)
