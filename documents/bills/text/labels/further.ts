/** Labels in further languages, each on its own: patterns of folded words, or as written. */

type Kind =
  | 'number'
  | 'issued'
  | 'due'
  | 'payable'
  | 'gross'
  | 'total'
  | 'net'
  | 'tax'
  | 'paid'
  | 'items'
  | 'title'
  | 'credit'

/** Lists words that stand for one label, between bars. */
const LABELS_OF: readonly Readonly<Partial<Record<Kind, string>>>[] = [
  // Portuguese
  {
    number: 'fatura n[.°o]*|fatura[- ]recibo n[.°o]*|n[.°o]+ (?:da )?fatura|numero da (?:fatura|nota)|nf-?e? n[.°o]*',
    issued: 'data (?:de |da )?(?:emissao|fatura)|emitid[ao] em|data do documento',
    due: 'data (?:de |do )?vencimento|vencimento|data limite(?: de pagamento)?|pagar ate',
    payable: '(?:total|valor|montante) a pagar|valor em divida|saldo em divida',
    gross: 'total (?:geral|da fatura|com iva|c/ ?iva|iva incluido|do documento|da nota)|valor total(?: da nota)?',
    net: 'total (?:iliquido|sem iva|s/ ?iva|liquido)|base tributavel|valor tributavel|incidencia',
    tax: 'icms|iss(?:qn)?|ipi',
    paid: 'valor pago|pago anteriormente',
    items: 'descricao|quantidade|qtd|preco unitario',
    title: 'fatura(?:[- ]recibo)?|nota fiscal',
    credit: 'nota de credito',
  },
  // Polish
  {
    number: 'faktura (?:vat )?(?:nr|numer)|(?:nr|numer) faktury|faktura vat',
    issued: 'data wystawienia|wystawiono(?: dnia)?|data faktury',
    due: 'termin (?:platnosci|zaplaty)|platne do|data platnosci',
    payable: '(?:razem )?do zaplaty|kwota do zaplaty|pozostalo do zaplaty|kwota naleznosci',
    gross: '(?:razem|wartosc|suma|kwota) brutto|naleznosc ogolem|lacznie z vat',
    total: 'suma|razem|ogolem|lacznie',
    net: '(?:wartosc|razem|suma|kwota) netto',
    tax: 'podatek(?: vat)?|kwota vat|ptu',
    items: 'nazwa|ilosc|cena(?: netto| jedn\\.?| jednostkowa)?',
    title: 'faktura(?: vat)?|rachunek',
    credit: 'faktura korygujaca|korekta',
  },
  // Czech and Slovak
  {
    number:
      'fakt(?:ura|ury) (?:-? ?danovy doklad )?(?:c\\.|cislo)|cislo (?:faktury|dokladu)|danovy doklad c(?:\\.|islo)',
    issued: 'datum vystaven[ia]a?|den vystaveni(?: danoveho dokladu)?|vystaveno|dna vystavenia',
    due: 'datum splatnosti|splatnost(?: dna)?|splatne do',
    payable:
      '(?:celkem |celkom |spolu )?k uhrad[eu]|castka k (?:uhrade|zaplaceni)|(?:suma )?na uhradu|zbyva uhradit|doplatek|zostava uhradit',
    gross: '(?:celkem|spolu|celkom|suma|cena) (?:s dph|vcetne dph|vratane dph)|celkova (?:castka|suma|cena)(?: s dph)?',
    total: 'celkem|celkom|spolu',
    net: '(?:celkem|spolu|celkom|suma|cena)? ?bez dph|zaklad(?: dane| dph)?|mezisoucet|medzisucet',
    tax: '(?:vyska |sazba )?dph|dan',
    paid: 'zaplaceno|uhradeno|zaloha|uhradene',
    items: 'popis|mnozstv[ii]|jednotk\\w*|cena za (?:jednotku|kus|mj)|jednotkova cena|nazov|nazev',
    title: 'faktura(?: ?- ?danovy doklad)?|danovy doklad|zjednoduseny danovy doklad|uctenka|blocek',
    credit: 'dobropis|opravny danovy doklad',
  },
  // Hungarian
  {
    number: 'szamla ?sorszama?|szamlaszam(?=:? ?(?:[a-z]{1,4}-?\\d|\\d{1,10}$))|szamla szama|sorszam|bizonylatszam',
    issued: '(?:szamla )?kelte|kiallitas (?:datuma|kelte)|szamla datuma|kiallitva',
    due: 'fizetesi hatarido|esedekesseg',
    payable: '(?:osszesen )?fizetendo(?: osszeg| vegosszeg)?|fizetendo osszesen|vegosszeg',
    gross: 'brutto (?:osszeg|osszesen|ertek|vegosszeg)|osszesen brutto|brutto',
    total: 'osszesen|mindosszesen',
    net: 'netto (?:osszeg|osszesen|ertek)|osszesen netto|adoalap|reszosszeg',
    tax: 'afa(?:osszeg)?',
    items: 'megnevezes|mennyiseg|egysegar',
    title: '(?:elektronikus |egyszerusitett )?szamla|nyugta',
    credit: 'helyesbito szamla|sztorno szamla',
  },
  // Romanian
  {
    number: '(?:numar|nr\\.?) (?:factura|document)|factura (?:fiscala )?(?:nr\\.?|numar|seria)',
    issued: 'data (?:emiterii|facturii|emitere)|emisa la',
    due: '(?:data )?scadent(?:a|ei|a platii)|termen(?:ul)? de plata',
    payable: '(?:total|suma|rest) de plata|sold de plata',
    gross: 'total (?:cu tva|factura|general)',
    net: 'total (?:fara tva|net)|valoare (?:fara tva|neta)|baza (?:de )?impozitare',
    items: 'denumire\\w*|cantitate|pret(?: unitar)?',
    title: 'factura(?: fiscala)?|bon fiscal',
    credit: 'factura (?:storno|de stornare)',
  },
  // Danish, Norwegian and Swedish
  {
    number: '(?:faktura|regning|kreditnota|kvittering|kvitto)(?:s)?[- ]?(?:nr\\.?|nummer|no\\.?|#)|fakturanr\\.?',
    issued: '(?:faktura|regnings|kreditnota|bilags|utstedelses|utskrifts)-?dato?|fakturadatum|utstedt|udstedt(?: den)?',
    due: 'forfalds-?dato|forfalls?-?dato|forfaller|forfallodatum|forfallodag|(?:sidste|siste) (?:rettidige )?betalingsda[gt]o?|betalingsfrist|betalas senast|betales senest|oss tillhanda|sista betalningsdag',
    payable: '(?:belob |belop |beløp )?(?:at|a|til|att) betal[ea]|til gode|skyldig belob|a betale|kvar att betala',
    gross:
      'total(?:t)? (?:inkl\\.?|inklusive|med|incl\\.?) (?:moms|mva)|(?:total|faktura|brutto)(?:belopp|belob|belop)(?:et)?|(?:sum|summa|belob|belop) (?:inkl\\.?|inklusive) (?:moms|mva)|slutsumma',
    total: 'i alt|ialt|sum|summa|totalt|att betala totalt',
    net: '(?:total|sum|summa|belob|belop|ialt|i alt|subtotal|totalt|pris)? ?(?:eks|ekskl|exkl|excl|uden|utan|uten|ex)(?:\\.|usive|klusive|lusive)? (?:moms|mva)|netto(?:belopp|belob|belop|sum)?|delsum(?:ma)?|momsgrundlag|mva-?grunnlag',
    tax: 'moms(?:belob|belopp)?|mva(?:-?belop)?|mervardesskatt|merverdiavgift',
    items: 'beskrivelse|beskrivning|antal[l]?|enhedspris|enhetspris|a-?pris|benamning|vare',
    title: 'faktura|regning|kvittering|kvitto|kontantfaktura',
    credit: 'kreditnota|kreditfaktura',
  },
  // Finnish and Estonian
  {
    number: 'laskun? ?(?:numero|nro|n:o)|laskunumero|arve (?:number|nr\\.?|no)|arve-saateleht nr|hyvityslaskun? numero',
    issued: 'laskun (?:pvm|paivays)|laskun paivamaara|laskupaiva|paivays|paivamaara|arve kuupaev|kuupaev|valjastatud',
    due: 'erapaiva|maksupaiva|maksetahtaeg|maksetahtpaev|tasuda hiljemalt|makse tahtaeg',
    payable:
      'maksettava(?:a)?(?: yhteensa)?|maksettava maara|tasuda|tasumisele kuulub|kuulub tasumisele|kokku tasuda|summa tasumiseks',
    gross:
      'verollinen(?: yhteensa)?|yhteensa (?:sis\\.? alv|alv:?lla|verollinen)|loppusumma|kokku (?:kaibemaksuga|koos km|km-ga)|summa kokku|arve summa',
    total: 'yhteensa|kokku',
    net: 'veroton(?: yhteensa| summa)?|yhteensa (?:ilman alv\\w*|alv ?0 ?%|veroton)|valisumma|(?:summa|kokku) (?:ilma )?kaibemaksuta|summa ilma km|kokku km-ta|vahesumma',
    tax: 'alv|arvonlisavero|kaibemaks|km',
    items: 'kuvaus|maara|yksikkohinta|kirjeldus|kogus|uhiku ?hind|nimetus|tuote',
    title: 'lasku|kuitti|arve|arve-saateleht',
    credit: 'hyvityslasku|kreeditarve',
  },
  // Latvian and Lithuanian
  {
    number:
      '(?:rekina|pavadzimes) (?:numurs|nr\\.?)|rekins nr\\.?|saskaitos (?:numeris|nr\\.?)|(?:pvm )?saskaita(?:-| )?faktura,? (?:serija \\w+ )?nr\\.?|saskaita nr\\.?|serija ir numeris',
    issued: 'rekina datums|izrakstisanas datums|izrakstits|israsymo data|saskaitos data|israsyta',
    due: 'apmaksas termins|samaksas termins|apmaksat lidz|apmoketi iki|moketi iki|apmokejimo (?:terminas|data)|terminas',
    payable:
      '(?:summa |kopa )?apmaksai|(?:kopa |summa )?samaksai|(?:suma |is viso )?(?:moketi|apmoketi)(?! iki)|moketina suma|suma apmokejimui',
    gross: 'kopa ar pvn|summa ar pvn|(?:is viso|suma|bendra suma) su pvm|bendra suma',
    total: 'kopa|pavisam|is viso|viso',
    net: '(?:summa|kopa|starpsumma)? ?bez pvn|starpsumma|(?:suma|is viso)? ?be pvm|tarpine suma',
    tax: 'pvn|pvm',
    items: 'apraksts|daudzums|cena|nosaukums|aprasymas|kiekis|kaina|vieneto kaina|pavadinimas',
    title: 'rekins|cek[si]s?|(?:pvm )?saskaita(?:[- ]faktura)?|kvitas',
    credit: 'kreditrekins|kreditine saskaita(?:[- ]faktura)?',
  },
  // Slovene and Croatian
  {
    number:
      '(?:stevilka|st\\.) racuna|racun (?:st\\.?|stevilka|br\\.?|broj)|(?:broj|br\\.) racuna|racun-otpremnica br\\.?',
    issued: 'datum (?:izdaje|racuna|izdavanja|izstavitve|ispostavljanja)|izdano dne|nadnevak',
    due: '(?:rok|datum) (?:placila|zapadlosti|placanja)|zapade|(?:datum )?dospijec[ae]|datum valute|valuta placanja|dospijeva',
    payable: '(?:skupaj |znesek |ukupno |iznos )?za (?:placilo|placanje|uplatu|naplatu)|preostalo za placanje',
    gross:
      '(?:skupaj|znesek|vrednost) z ddv|(?:ukupno|iznos|sveukupno) (?:s|sa) pdv(?:-om)?|sveukupno|ukupan iznos|koncni znesek',
    total: 'skupaj|ukupno|znesek skupaj|za platiti',
    net: '(?:skupaj|znesek|vrednost|osnova)? ?brez ddv|osnova(?: za ddv)?|vmesna vsota|(?:ukupno|iznos|osnovica)? ?bez pdv(?:-a)?|osnovica|medjuzbroj|meduzbroj',
    tax: 'ddv|pdv',
    items: 'opis|kolicina|cena na enoto|cijena|jedinicna cijena|naziv',
    title: 'racun|predracun(?!\\w)|maloprodajni racun',
    credit: 'dobropis|odobrenje|storno racun',
  },
  // Greek and Bulgarian
  {
    number:
      'αριθμοσ (?:τιμολογιου|παραστατικου|αποδειξησ)|τιμολογιο (?:αρ\\.?|no\\.?|αριθμοσ)|αρ\\.? (?:τιμολογιου|παραστατικου)|фактура (?:no?\\.?|n°|№|номер|#):?|номер на (?:фактура|документ)',
    issued:
      'ημερομηνια (?:εκδοσησ|τιμολογιου)|ημ/νια(?: εκδοσησ)?|дата на (?:издаване|фактурата|фактура)|дата на изд\\.?',
    due: '(?:ημερομηνια |προθεσμια )?(?:ληξησ|πληρωμησ)|πληρωτεο εωσ|ληξη|(?:срок|краен срок|дата) (?:за|на) (?:плащане|падеж)|падеж',
    payable: 'πληρωτεο(?: ποσο)?|ποσο πληρωμησ|υπολοιπο|(?:сума|общо|всичко) за плащане|дължима сума|за плащане',
    gross:
      'συνολικη αξια|γενικο συνολο|τελικο ποσο|συνολο με φπα|(?:обща сума|общо|всичко) с ддс|обща (?:сума|стойност)',
    total: 'συνολο|общо|всичко|сума общо',
    net: 'καθαρη αξια|καθαρο ποσο|αξια προ φπα|υποσυνολο|συνολο χωρισ φπα|данъчна основа|(?:общо|сума|стойност)? ?без ддс|междинна сума',
    tax: 'φπα|φ\\.π\\.α\\.?|ддс',
    items: 'περιγραφη|ποσοτητα|τιμη(?: μοναδασ)?|описание|количество|единична цена|наименование',
    title: 'τιμολογιο|αποδειξη|φακτουρα|фактура|касова бележка',
    credit: 'πιστωτικο(?: τιμολογιο)?|кредитно известие',
  },
  // Turkish and Indonesian
  {
    number:
      '(?:fatura|makbuz|fis) (?:no|numarasi|nr)|(?:nomor|no\\.?) (?:faktur|invoice|tagihan)|faktur (?:no\\.?|nomor)',
    issued: '(?:fatura|duzenle[nm]e|fis) tarihi|tanggal (?:faktur|invoice|terbit|tagihan)',
    due: '(?:vade|son odeme|odeme) tarihi|vadesi|(?:tanggal )?jatuh tempo|batas (?:waktu )?pembayaran',
    payable:
      'odenecek (?:tutar|toplam)|kalan (?:tutar|bakiye)|(?:jumlah|total)(?: yang)? (?:harus )?dibayar|sisa tagihan|total tagihan',
    gross:
      'genel toplam|kdv dahil(?: toplam(?: tutar)?)?|vergiler dahil toplam(?: tutar)?|fatura (?:tutari|toplami)|total (?:keseluruhan|akhir|termasuk ppn)|jumlah total',
    total: 'toplam(?: tutar)?|jumlah',
    net: 'ara toplam|mal hizmet toplam(?: tutari)?|kdv haric(?: toplam| tutar)?|matrah|subjumlah|dasar pengenaan pajak|dpp|total sebelum (?:pajak|ppn)',
    tax: '(?:hesaplanan )?kdv(?: tutari)?|ppn|pajak',
    items: 'aciklama|miktar|birim fiyat|urun|deskripsi|kuantitas|harga satuan|uraian',
    title: '(?:e-?|satis )?fatura(?:si)?|fis|makbuz|faktur(?: pajak)?|kwitansi',
    credit: 'iade faturasi|nota kredit',
  },
  // Ukrainian and Russian
  {
    number: '(?:рахунок|рахунок-фактура|счет|счет-фактура)(?: на оплату)? (?:№|n°|no|номер)|номер (?:рахунку|счета)',
    issued: 'дата (?:рахунку|виставлення|счета|выставления)',
    due: '(?:сплатити|оплатить) до|термін оплати|терміи оплати|срок оплаты',
    payable: '(?:до|к) (?:сплати|оплате|оплати)|всього до сплати|итого к оплате',
    gross: '(?:всього|разом|итого|всего) (?:з|с) (?:пдв|ндс)|всего к оплате',
    total: 'всього|разом|итого|всего',
    net: '(?:всього|разом|итого|сума|сумма)? ?без (?:пдв|ндс)',
    tax: 'пдв|ндс',
    items: 'найменування|кількість|кількість|ціна|наименование|количество|цена',
    title: 'рахунок(?:-фактура)?|счет(?:-фактура)?',
  },
  // Japanese, Chinese and Korean
  {
    number:
      '請求書?番号|請求書? ?(?:no\\.?|№|#)|領収書?番号|伝票番号|(?:发票|發票|账单|帳單)(?:号码|號碼|编号|編號|号)|(?:청구서?|계산서|송장|영수증) ?(?:번호|no\\.?)',
    issued:
      '発行(?:年月)?日|作成日|請求(?:年月)?日|請求書?発行日|(?:开票|開票|开具|發票|发票|账单|帳單)日期|(?:발행|작성|청구)일자?',
    due: 'お?支払い?期[限日]|お?振込期[限日]|(?:付款|到期|繳費)(?:截止)?(?:日期|期限|日)|(?:지급|납부|결제) ?기[한일]|만기일',
    payable:
      'ご?請求(?:金額|額|合計)|お支払(?:い)?(?:金額|合計)|差引請求額|(?:应付|應付)(?:金额|金額|总额|總額)|(?:청구|결제|납부할|지급) ?금액|합계 ?금액 ?청구',
    gross: '税込(?:合計|金額)?|合計金額|総額|总金额|总计|總計|價稅合計|价税合计|총 ?(?:액|금액|합계)|합계 ?금액',
    total: '合計|合计|總額|합계',
    net: '小計|小计|税抜(?:合計|金額)?|金额合计|不含税(?:金额)?|未稅(?:金額)?|銷售額|소계|공급가액?',
    tax: '消費税|税额|稅額|增值税|營業稅|부가세|부가가치세|세액',
    paid: '入金済|已付(?:金额|金額)?',
    items: '品目|品名|数量|單價|单价|単価|摘要|項目|품목|수량|단가',
    title: '請求書|領収書|領収証|发票|發票|账单|帳單|청구서|세금계산서|영수증|거래명세서',
  },
]

/** Lists the words of a label in all further languages. */
export const wordsOf = (kind: Kind): string[] => LABELS_OF.flatMap((words) => words[kind] ?? [])
