/** Words of bills alone, in the order of `words.ts`; `~` parts the vocabularies of the halves. */
import type { Vocabulary } from './vocabulary.ts'

export const SHORT_VOCABULARY: Vocabulary = {
  nb: {
    core: `Faktura~Regning|Fakturanummer~Fakturanr.|Fakturadato~Dato|Forfallsdato~Betales innen|Faktureres til~Kunde
      |Kundenummer~Kundenr.|Beskrivelse~Varenavn|Antall~Ant.|Enhetspris~Pris|Beløp~Sum|Netto~Sum eks. mva
      |MVA~Merverdiavgift|Totalt~Sum inkl. mva|Å betale~Beløp å betale|Betalingsinformasjon~Betal til
      |Kontoinnehaver~Mottaker|KID~KID-nummer|Org.nr.~Foretaksregisteret|Takk for handelen!~Takk for oppdraget.
      |Side~Ark`,
  },
  fi: {
    core: `Lasku~Lasku|Laskun numero~Laskunro|Laskun päivämäärä~Laskupäivä|Eräpäivä~Maksettava viimeistään
      |Laskutusosoite~Asiakas|Asiakasnumero~Asiakasnro|Kuvaus~Tuote|Määrä~Kpl|Yksikköhinta~À-hinta|Summa~Rivisumma
      |Veroton yhteensä~Yhteensä (alv 0 %)|ALV~Arvonlisävero|Yhteensä~Verollinen yhteensä
      |Maksettava~Maksettava yhteensä|Maksutiedot~Pankkiyhteys|Saajan nimi~Saaja|Viitenumero~Viite|ALV-tunnus~Y-tunnus
      |Kiitos tilauksesta!~Kiitämme yhteistyöstä.|Sivu~Sivu`,
  },
  hu: {
    core: `Számla~Elektronikus számla|Számlaszám~Számla sorszáma|Számla kelte~Kiállítás dátuma
      |Fizetési határidő~Esedékesség|Vevő~Számlázási cím|Ügyfélszám~Vevőkód|Megnevezés~Tétel|Mennyiség~Db
      |Egységár~Nettó ár|Érték~Bruttó érték|Nettó összesen~Adóalap|ÁFA~ÁFA összege|Bruttó összesen~Számla végösszege
      |Fizetendő~Fizetendő összeg|Banki adatok~Átutalás|Kedvezményezett~Számlatulajdonos|Közlemény~Hivatkozás
      |Adószám~Közösségi adószám|Köszönjük a vásárlást!~Köszönjük a megrendelést!|Oldal~Lap`,
  },
  ro: {
    core: `Factură~Factură fiscală|Număr factură~Seria și nr.|Data emiterii~Data facturii
      |Data scadenței~Termen de plată|Cumpărător~Client|Cod client~Nr. client|Denumire~Descriere|Cantitate~Cant.
      |Preț unitar~Preț|Valoare~Valoare netă|Total fără TVA~Subtotal|TVA~Valoare TVA|Total cu TVA~Total general
      |Total de plată~Suma de plată|Date bancare~Cont bancar|Titular cont~Beneficiar|Referință plată~Explicații
      |CUI~Cod fiscal|Vă mulțumim!~Mulțumim pentru comandă.|Pagina~Fila`,
  },
  sk: {
    core: `Faktúra~Daňový doklad|Číslo faktúry~Faktúra č.|Dátum vystavenia~Vystavené dňa|Dátum splatnosti~Splatné do
      |Odberateľ~Kupujúci|Číslo zákazníka~Zák. číslo|Popis~Názov položky|Množstvo~Ks|Jednotková cena~Cena/ks
      |Suma~Spolu za položku|Základ dane~Spolu bez DPH|DPH~Výška DPH|Spolu s DPH~Celkom s DPH|Na úhradu~Suma na úhradu
      |Bankové spojenie~Prevodom na|Majiteľ účtu~Príjemca|Variabilný symbol~VS|IČ DPH~DIČ
      |Ďakujeme za nákup.~Ďakujeme za dôveru.|Strana~List`,
  },
  sl: {
    core: `Račun~Faktura|Številka računa~Račun št.|Datum izdaje~Izdano dne|Rok plačila~Zapade dne
      |Kupec~Prejemnik računa|Šifra kupca~Št. stranke|Opis~Naziv|Količina~Kol.|Cena na enoto~Cena|Znesek~Vrednost
      |Skupaj brez DDV~Osnova|DDV~Znesek DDV|Skupaj z DDV~Skupaj|Za plačilo~Znesek za plačilo
      |Bančni podatki~Plačilo na račun|Imetnik računa~Prejemnik|Sklic~Referenca|ID za DDV~Davčna številka
      |Hvala za zaupanje.~Hvala za nakup.|Stran~List`,
  },
  hr: {
    core: `Račun~Faktura|Broj računa~Račun br.|Datum izdavanja~Datum računa|Datum dospijeća~Rok plaćanja
      |Kupac~Primatelj|Šifra kupca~Br. kupca|Opis~Naziv robe|Količina~Kol.|Jedinična cijena~Cijena|Iznos~Vrijednost
      |Ukupno bez PDV-a~Osnovica|PDV~Iznos PDV-a|Ukupno s PDV-om~Sveukupno|Za platiti~Ukupno za platiti
      |Podaci za plaćanje~Uplata na račun|Vlasnik računa~Primatelj uplate|Poziv na broj~Model i poziv|OIB~PDV ID
      |Hvala na povjerenju.~Hvala na kupnji.|Stranica~List`,
  },
  bg: {
    core: `Фактура~Данъчна фактура|Фактура №~Номер|Дата на издаване~Дата|Срок за плащане~Падеж|Получател~Клиент
      |Клиентски номер~Код на клиент|Описание~Наименование|Количество~К-во|Единична цена~Ед. цена|Стойност~Сума
      |Данъчна основа~Междинна сума|ДДС~Начислен ДДС|Общо~Обща сума|Сума за плащане~Всичко за плащане
      |Банкови данни~Превод по сметка|Титуляр~Получател на превода|Основание~Основание за плащане|ИН по ДДС~ДДС №
      |Благодарим Ви!~Благодарим за поръчката.|Страница~Стр.`,
  },
  el: {
    core: `Τιμολόγιο~Τιμολόγιο πώλησης|Αριθμός τιμολογίου~Αρ. παραστατικού|Ημερομηνία έκδοσης~Ημερομηνία
      |Ημερομηνία λήξης~Πληρωτέο έως|Πελάτης~Στοιχεία πελάτη|Κωδικός πελάτη~Κωδ. πελάτη|Περιγραφή~Είδος|Ποσότητα~Ποσ.
      |Τιμή μονάδας~Τιμή|Αξία~Ποσό|Καθαρή αξία~Υποσύνολο|ΦΠΑ~Αξία ΦΠΑ|Σύνολο~Γενικό σύνολο
      |Πληρωτέο ποσό~Τελικό πληρωτέο|Τραπεζικά στοιχεία~Κατάθεση σε|Δικαιούχος~Όνομα δικαιούχου
      |Αιτιολογία~Κωδικός πληρωμής|ΑΦΜ~Α.Φ.Μ.|Ευχαριστούμε!~Σας ευχαριστούμε για την προτίμηση.|Σελίδα~Σελ.`,
  },
  tr: {
    core: `Fatura~Satış faturası|Fatura No~Belge No|Fatura Tarihi~Düzenleme Tarihi|Vade Tarihi~Son ödeme tarihi
      |Sayın~Alıcı|Müşteri No~Müşteri Kodu|Açıklama~Mal Hizmet|Miktar~Adet|Birim Fiyat~Fiyat|Tutar~Mal Hizmet Tutarı
      |Ara Toplam~Mal Hizmet Toplam Tutarı|KDV~Hesaplanan KDV|Genel Toplam~Vergiler Dahil Toplam Tutar
      |Ödenecek Tutar~Ödenecek toplam|Banka Bilgileri~Havale için|Hesap Sahibi~Alıcı adı
      |Ödeme Açıklaması~Açıklama notu|VKN~Vergi No|Teşekkür ederiz.~Bizi seçtiğiniz için teşekkürler.|Sayfa~Sf.`,
  },
  et: {
    core: `Arve~Müügiarve|Arve number~Arve nr|Arve kuupäev~Kuupäev|Maksetähtaeg~Tasuda hiljemalt|Maksja~Klient
      |Kliendi number~Kliendikood|Kirjeldus~Nimetus|Kogus~Hulk|Ühiku hind~Hind|Summa~Rea summa
      |Summa käibemaksuta~Vahesumma|Käibemaks~Km|Kokku~Arve summa|Tasuda~Kuulub tasumisele|Pangarekvisiidid~Pank
      |Saaja~Konto omanik|Viitenumber~Viide|KMKR nr~KMKR|Täname!~Täname ostu eest.|Lehekülg~Lk`,
  },
  lv: {
    core: `Rēķins~Rēķins-faktūra|Rēķina numurs~Rēķins Nr.|Rēķina datums~Datums|Apmaksas termiņš~Apmaksāt līdz
      |Maksātājs~Klients|Klienta numurs~Klienta kods|Apraksts~Nosaukums|Daudzums~Skaits|Cena~Vienības cena
      |Summa~Kopā rindā|Summa bez PVN~Starpsumma|PVN~PVN summa|Kopā~Kopsumma|Summa apmaksai~Apmaksai
      |Bankas rekvizīti~Pārskaitīt uz|Saņēmējs~Konta turētājs|Maksājuma mērķis~Atsauce|PVN reģ. nr.~PVN Nr.
      |Paldies!~Paldies par pirkumu.|Lapa~Lpp.`,
  },
  lt: {
    core: `Sąskaita faktūra~PVM sąskaita faktūra|Sąskaitos numeris~Serija ir nr.|Išrašymo data~Data
      |Apmokėti iki~Mokėjimo terminas|Pirkėjas~Klientas|Kliento numeris~Kliento kodas|Aprašymas~Pavadinimas
      |Kiekis~Vnt.|Vieneto kaina~Kaina|Suma~Eilutės suma|Suma be PVM~Tarpinė suma|PVM~PVM suma|Iš viso~Bendra suma
      |Mokėti~Mokėtina suma|Banko rekvizitai~Pervesti į|Gavėjas~Sąskaitos turėtojas|Mokėjimo paskirtis~Nuoroda
      |PVM kodas~PVM mokėtojo kodas|Ačiū!~Dėkojame už pirkimą.|Puslapis~Psl.`,
  },
  ar: {
    core: `فاتورة~فاتورة ضريبية|رقم الفاتورة~رقم|تاريخ الإصدار~التاريخ|تاريخ الاستحقاق~يستحق في|فاتورة إلى~العميل
      |رقم العميل~رمز العميل|الوصف~البيان|الكمية~العدد|سعر الوحدة~السعر|المبلغ~القيمة|المجموع الفرعي~الصافي
      |الضريبة~ضريبة القيمة المضافة|الإجمالي~المجموع|المبلغ المستحق~الرصيد المستحق|تفاصيل البنك~التحويل إلى
      |اسم الحساب~المستفيد|مرجع الدفع~المرجع|الرقم الضريبي~رقم التسجيل|شكرا لكم~شكرا لتعاملكم معنا|صفحة~ورقة`,
  },
  zh: {
    core: `发票~税务发票|发票号码~发票编号|开票日期~日期|付款期限~到期日|收票人~客户|客户编号~客户代码|项目~说明|数量~件数|单价~价格|金额~小计金额|小计~不含税金额|税额~消费税|总计~合计
      |应付金额~应付总额|银行信息~汇款至|户名~收款人|付款参考~备注|税号~纳税人识别号|谢谢~谢谢惠顾|页~第`,
  },
  ja: {
    core: `請求書~ご請求書|請求書番号~請求No.|発行日~請求日|お支払期限~お振込期限|御中~請求先|お客様番号~顧客コード|品目~品名|数量~個数|単価~価格|金額~小計額|小計~税抜金額|消費税~内消費税
      |合計~合計金額|ご請求金額~お支払金額|振込先~お振込先口座|口座名義~名義人|お支払番号~振込依頼番号|登録番号~適格請求書発行事業者登録番号|ありがとうございます。~毎度ありがとうございます。|ページ~頁`,
  },
}
