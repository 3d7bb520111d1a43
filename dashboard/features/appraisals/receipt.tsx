import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { gradesOfKind } from '../../../src/contract/device-kinds.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import type { OutcomeWire } from '../../../src/contract/outcome.ts'
import { DEFAULT_RECEIPT_DETAILS, type ReceiptDetailsWire } from '../../../src/contract/receipt-details.ts'
import type { PAYOUT_METHODS, SellerEntryWire } from '../../../src/contract/sellers.ts'
import { maskIdentifier } from '../../../src/identifier/identifier-mask.ts'
import { addDays } from '../../../src/lib/time.ts'
import { localDay } from '../../local-day.ts'
import { Fact } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import type { PaperTexts } from './paper-texts.ts'

export type Paper = 'a4' | 'roll'
export const COPIES = ['shop', 'customer'] as const
/** The shop keeps the full identifier; the customer's copy may be seen by others. */
export type Copy = (typeof COPIES)[number]

/** The seller as printed on the receipt of a purchase. */
export type SellerOnPaper = Pick<SellerEntryWire, 'name'> & {
  readonly [Field in 'address' | 'id_kind' | 'id_number' | 'date_of_birth']?: SellerEntryWire[Field] | undefined
} & {
  readonly signature?: string | null | undefined
  readonly payout?:
    | { readonly method: (typeof PAYOUT_METHODS)[number]; readonly reference?: string | null | undefined }
    | null
    | undefined
}

/** Printed receipt, on A4 or a receipt roll. It does not show how the offer is calculated. */
export function Receipt({
  appraisal,
  organization,
  details,
  texts,
  address,
  paper,
  copy,
  seller,
  stockNumber,
}: {
  appraisal: AppraisalWire
  organization: string
  details: ReceiptDetailsWire
  texts: PaperTexts
  /** Verification URL for the QR code; null without one. */
  address: string | null
  paper: Paper
  copy: Copy
  /** Null if no seller is recorded, or the person may not read it. */
  seller: SellerOnPaper | null
  stockNumber: number | null
}) {
  const { t, codes, format, language } = texts
  const { identity, risk, defects } = appraisal
  const purchase = appraisal.outcome?.bought ?? null
  const kind = identity.device_kind ?? null
  return (
    <article className={`sheet sheet-${paper}`} lang={language} aria-label={t('receipt.label')}>
      <SheetHeader
        details={details}
        organization={organization}
        texts={texts}
        copy={copy}
        isPurchase={purchase !== null}
        when={purchase ? format.day(purchase.date) : format.time(appraisal.timestamp)}
      />
      <h2>{codes.deviceTitle(identity)}</h2>
      <dl>
        {stockNumber === null ? null : <Fact name={t('receipt.number')}>{format.count(stockNumber)}</Fact>}
        {appraisal.reference ? <Fact name={t('receipt.reference')}>{appraisal.reference}</Fact> : null}
        {risk ? (
          <Fact name={codes.identifierType(risk.identifier_type)}>
            <span className="masked">
              {[risk.identifier, risk.second_identifier]
                .flatMap((each) => (each ? [copy === 'shop' ? each : maskIdentifier(each)] : []))
                .join(' / ')}
            </span>
          </Fact>
        ) : null}
        <ReceiptGrade appraisal={appraisal} texts={texts} />
        <Fact name={t('receipt.faults')}>
          {defects.length === 0
            ? t('receipt.noFaults')
            : defects.map((code) => codes.defect(code, kind).name).join(', ')}
        </Fact>
        {risk ? (
          <ReceiptCheck risk={risk} hasFindings={copy === 'shop' && !purchase} texts={texts} />
        ) : (
          <Fact name={t('receipt.identifier')}>{t('receipt.notChecked')}</Fact>
        )}
      </dl>
      <div className="sheet-foot">
        <div>
          {purchase ? (
            <PaidLines purchase={purchase} payout={seller?.payout ?? null} texts={texts} />
          ) : (
            <OfferLines
              appraisal={appraisal}
              validDays={details.valid_days}
              isForCustomer={copy === 'customer'}
              texts={texts}
            />
          )}
          {appraisal.sample && !purchase ? <p className="sheet-small">{t('receipt.sample')}</p> : null}
        </div>
        {address ? (
          <div className="sheet-code">
            <QrCode address={address} label={t('receipt.qr')} />
            <p className="sheet-small">{t('receipt.verify')}</p>
          </div>
        ) : null}
      </div>
      {seller ? (
        <SellerFacts seller={seller} isForCustomer={copy === 'customer'} texts={texts} />
      ) : copy === 'shop' && details.seller_lines && isBought(appraisal) ? (
        <SellerLines texts={texts} />
      ) : null}
      {isBought(appraisal) ? (
        <Signatures
          bought={purchase && { date: purchase.date, by: appraisal.outcome?.created_by.name ?? '' }}
          terms={termsIn(texts, details.terms, purchase !== null)}
          signature={seller?.signature ?? null}
          texts={texts}
        />
      ) : null}
      <p className="sheet-small">{appraisal.appraisal_id}</p>
    </article>
  )
}

/** The shop, which copy it is, and when. */
export function SheetHeader({
  details,
  organization,
  texts: { t },
  copy,
  isPurchase,
  when,
}: {
  details: ReceiptDetailsWire
  organization: string
  texts: PaperTexts
  copy: Copy
  isPurchase: boolean
  when: string
}) {
  return (
    <header>
      {details.logo ? <img className="sheet-logo" src={details.logo} alt="" /> : null}
      <div className="sheet-shop">
        <p>
          <strong>{details.shop_name || organization}</strong>
        </p>
        {[
          ...details.address.split('\n'),
          details.contact,
          details.vat_id && t('receipt.vat', { number: details.vat_id }),
        ]
          .filter(Boolean)
          .map((text) => (
            <p key={text}>{text}</p>
          ))}
      </div>
      <div className="sheet-about">
        {isPurchase ? (
          <p>
            <strong>{t('receipt.purchase')}</strong>
          </p>
        ) : null}
        <p>{t(copy === 'shop' ? 'receipt.shopCopy' : 'receipt.customerCopy')}</p>
        <p>{when}</p>
      </div>
    </header>
  )
}

/** The cosmetic grade. Its definition promises a working device, so beside faults only the cosmetic part is printed. */
function ReceiptGrade({
  appraisal: { identity, offer, defects },
  texts: { t, codes },
}: {
  appraisal: AppraisalWire
  texts: PaperTexts
}) {
  const isAssumed = offer.reasons.some(({ code }) => code === 'condition_missing')
  const grade = isAssumed
    ? undefined
    : gradesOfKind(identity.device_kind ?? null).find(({ name }) => name === offer.condition)
  if (!grade) return <Fact name={t('receipt.grade')}>{t('receipt.notGraded')}</Fact>
  // "May be cracked" is what Poor allows, not how this screen is.
  const isScreenStated = grade.screen && grade.name !== 'Poor' && !defects.includes('cracked_screen')
  const screen = isScreenStated ? codes.gradeScreen(grade) : ''
  return (
    <Fact name={t(defects.length === 0 ? 'receipt.grade' : 'receipt.cosmeticGrade')}>
      <strong>{codes.gradeName(grade.name)}</strong>{' '}
      <span className="sheet-small">
        {defects.length === 0
          ? codes.gradeText(grade)
          : t('receipt.apart', { screen, body: codes.gradeBody(grade) }).trim()}
      </span>
    </Fact>
  )
}

/** The default text is translated, and longer where the device was bought; a text of the shop is printed as it is. */
export function termsIn({ t }: PaperTexts, terms: string, isPurchase: boolean): string {
  if (terms !== DEFAULT_RECEIPT_DETAILS.terms) return terms
  return t(isPurchase ? 'receipt.declaration' : 'receipt.terms')
}

const isBought = ({ offer, agreed_offer: agreed, declined, outcome }: AppraisalWire) =>
  Boolean(outcome?.bought) || (!declined && offer.decision !== 'reject' && (agreed ?? offer.recommended_offer) !== null)

/** What was paid, and how. */
export function PaidLines({
  purchase,
  payout,
  texts: { t, codes, format },
}: {
  purchase: Pick<NonNullable<OutcomeWire['bought']>, 'price' | 'currency'>
  payout: SellerOnPaper['payout']
  texts: PaperTexts
}) {
  return (
    <>
      <p className="sheet-decision">{t('receipt.paid')}</p>
      <p className="sheet-offer">{format.amount(purchase.price, purchase.currency)}</p>
      {payout ? (
        <p className="sheet-small">{[codes.payout(payout.method), payout.reference].filter(Boolean).join(' · ')}</p>
      ) : null}
    </>
  )
}

/** Who sold the device. The number of the document stays in the shop. */
export function SellerFacts({
  seller,
  isForCustomer,
  texts: { t, codes, format },
}: {
  seller: SellerOnPaper
  isForCustomer: boolean
  texts: PaperTexts
}) {
  const { name, address, date_of_birth: born, id_kind: kind, id_number: number } = seller
  return (
    <section className="sheet-person">
      <h3>{t('receipt.sellerTitle')}</h3>
      <p>
        <strong>{name}</strong>
        {address ? `, ${address}` : ''}
      </p>
      {isForCustomer || !(born || number) ? null : (
        <p>
          {[
            born ? t('receipt.born', { day: format.day(born) }) : '',
            number ? `${kind ? codes.idKind(kind) : t('receipt.sellerDocument')} ${number}` : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </section>
  )
}

/** The agreed amount, or the offer and its validity. */
function OfferLines({
  appraisal,
  validDays,
  isForCustomer,
  texts: { t, codes, format },
}: {
  appraisal: AppraisalWire
  validDays: number
  isForCustomer: boolean
  texts: PaperTexts
}) {
  const { offer, agreed_offer: agreed, currency, timestamp } = appraisal
  if (!isBought(appraisal)) {
    // Why the shop does not buy is for the shop.
    const reason = isForCustomer ? undefined : offer.reasons.findLast(({ message }) => message)
    return (
      <>
        <p className="sheet-offer">{t('receipt.notBought')}</p>
        <p className="sheet-small">{reason ? codes.reason(reason, appraisal) : ''}</p>
      </>
    )
  }
  const isAgreed = agreed !== null && agreed !== undefined
  const validUntil = addDays(localDay(new Date(timestamp)), validDays)
  return (
    <>
      <p className="sheet-decision">
        {t(isAgreed ? 'receipt.agreed' : offer.decision === 'inspect' ? 'receipt.offerInspect' : 'receipt.offer')}
      </p>
      <p className="sheet-offer">{format.amount(isAgreed ? agreed : offer.recommended_offer, currency)}</p>
      {isAgreed || validDays === 0 ? null : (
        <p className="sheet-small">{t('receipt.validUntil', { day: format.day(validUntil) })}</p>
      )}
    </>
  )
}

/** Filled in by hand where the shop does not record sellers. */
export function SellerLines({ texts: { t } }: { texts: PaperTexts }) {
  return (
    <section className="sheet-seller">
      <h3>{t('receipt.sellerDetails')}</h3>
      <p>{t('receipt.sellerName')}</p>
      <p>{t('receipt.sellerDocument')}</p>
    </section>
  )
}

export function Signatures({
  bought,
  terms,
  signature,
  texts: { t, format },
}: {
  /** Day of the purchase and who bought; null for an offer. */
  bought: { readonly date: string; readonly by: string } | null
  terms: string
  /** Drawn on the screen; null if the seller signs the paper. */
  signature: string | null
  texts: PaperTexts
}) {
  return (
    <div className="sheet-signatures">
      {terms ? (
        <div className="sheet-declaration">
          {bought ? <h3>{t('receipt.declarationTitle')}</h3> : null}
          <p>{terms}</p>
        </div>
      ) : null}
      <div className="sheet-sign">
        {signature ? <img src={signature} alt="" /> : null}
        <p>{t('receipt.seller')}</p>
        {signature && bought ? <p className="sheet-small">{format.day(bought.date)}</p> : null}
      </div>
      <div className="sheet-sign">
        <p>{t('receipt.shop')}</p>
        {bought ? <p className="sheet-small">{t('receipt.boughtBy', { person: bought.by })}</p> : null}
      </div>
    </div>
  )
}

/** The check of the identifier. Paper that the seller gets or signs has its result, not what the shop makes of it. */
function ReceiptCheck({
  risk,
  hasFindings,
  texts: { t, codes, format },
}: {
  risk: LookupResultWire
  hasFindings: boolean
  texts: PaperTexts
}) {
  const cleared = risk.cleared_by.map(({ list, source, area }) => [list ?? source, area].filter(Boolean).join(', '))
  const findings = risk.risk_factors.filter(({ code, points }) => code !== 'baseline' && points > 0)
  return (
    <>
      <Fact name={t('receipt.blacklist')}>
        <strong>{codes.blacklist(risk.blacklist_status)}</strong>
      </Fact>
      {hasFindings ? (
        <Fact name={t('receipt.findings')}>
          {findings.length === 0 ? t('receipt.noFindings') : findings.map(codes.riskFactor).join(' ')}
        </Fact>
      ) : null}
      {cleared.length > 0 ? (
        <Fact name={t('receipt.checked')}>
          {t('receipt.against', { lists: cleared.join('; '), time: format.time(risk.timestamp) })}
        </Fact>
      ) : null}
      {risk.evidence ? (
        <Fact name={t('receipt.evidence')}>
          {risk.evidence.map(({ source, evidence_id: id }) => `${source} ${id}`).join('; ')}
        </Fact>
      ) : null}
    </>
  )
}
