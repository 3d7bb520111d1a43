import type { Ref } from 'react'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { gradesOfKind } from '../../../src/contract/device-kinds.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { DEFAULT_RECEIPT_DETAILS, type ReceiptDetailsWire } from '../../../src/contract/receipt-details.ts'
import { maskIdentifier } from '../../../src/identifier/identifier-mask.ts'
import { addDays } from '../../../src/lib/time.ts'
import { localDay } from '../../local-day.ts'
import { Fact } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { type PaperTexts, usePaperTexts } from './paper-texts.ts'

export type Paper = 'a4' | 'roll'
/** The shop keeps the full identifier; the customer's copy may be seen by others. */
export type Copy = 'shop' | 'customer'

/** Printed receipt, on A4 or a receipt roll. It does not show how the offer is calculated. */
export function Receipt({
  appraisal,
  organization,
  details,
  address,
  paper,
  copy,
  ref,
}: {
  appraisal: AppraisalWire
  organization: string
  details: ReceiptDetailsWire
  /** Verification URL for the QR code; null without one. */
  address: string | null
  paper: Paper
  copy: Copy
  ref?: Ref<HTMLElement>
}) {
  const texts = usePaperTexts(details.language)
  const { t, codes, format, language } = texts
  const { identity, risk, defects } = appraisal
  const kind = identity.device_kind ?? null
  return (
    <article ref={ref} className={`sheet sheet-${paper}`} lang={language} aria-label={t('receipt.label')}>
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
          <p>{t(copy === 'shop' ? 'receipt.shopCopy' : 'receipt.customerCopy')}</p>
          <p>{format.time(appraisal.timestamp)}</p>
        </div>
      </header>
      <h2>{codes.deviceTitle(identity)}</h2>
      <dl>
        {appraisal.reference ? <Fact name={t('receipt.reference')}>{appraisal.reference}</Fact> : null}
        {risk ? (
          <Fact name={codes.identifierType(risk.identifier_type)}>
            <span className="masked">{copy === 'shop' ? risk.identifier : maskIdentifier(risk.identifier)}</span>
          </Fact>
        ) : null}
        <ReceiptGrade appraisal={appraisal} texts={texts} />
        <Fact name={t('receipt.faults')}>
          {defects.length === 0
            ? t('receipt.noFaults')
            : defects.map((code) => codes.defect(code, kind).name).join(', ')}
        </Fact>
        {risk ? (
          <ReceiptCheck risk={risk} texts={texts} />
        ) : (
          <Fact name={t('receipt.identifier')}>{t('receipt.notChecked')}</Fact>
        )}
      </dl>
      <div className="sheet-foot">
        <div>
          <OfferLines appraisal={appraisal} validDays={details.valid_days} texts={texts} />
          {appraisal.sample ? <p className="sheet-small">{t('receipt.sample')}</p> : null}
        </div>
        {address ? (
          <div className="sheet-code">
            <QrCode address={address} label={t('receipt.qr')} />
            <p className="sheet-small">{t('receipt.verify')}</p>
          </div>
        ) : null}
      </div>
      {copy === 'shop' && details.seller_lines && isBought(appraisal) ? <SellerLines texts={texts} /> : null}
      <Signatures appraisal={appraisal} terms={termsIn(texts, details.terms)} texts={texts} />
      <p className="sheet-small">{appraisal.appraisal_id}</p>
    </article>
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
  const screen = grade.screen && !defects.includes('cracked_screen') ? codes.gradeScreen(grade) : ''
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

/** The default text is translated; a text of the shop is printed as it is. */
const termsIn = ({ t }: PaperTexts, terms: string) =>
  terms === DEFAULT_RECEIPT_DETAILS.terms ? t('receipt.terms') : terms

const isBought = ({ offer, agreed_offer: agreed, declined }: AppraisalWire) =>
  !declined && offer.decision !== 'reject' && (agreed ?? offer.recommended_offer) !== null

/** The agreed amount, or the offer and its validity. */
function OfferLines({
  appraisal,
  validDays,
  texts: { t, codes, format },
}: {
  appraisal: AppraisalWire
  validDays: number
  texts: PaperTexts
}) {
  const { offer, agreed_offer: agreed, currency, timestamp } = appraisal
  if (!isBought(appraisal)) {
    const reason = offer.reasons.findLast(({ message }) => message)
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

/** Filled in by hand: the name and ID document of the seller are not stored. */
function SellerLines({ texts: { t } }: { texts: PaperTexts }) {
  return (
    <section className="sheet-seller">
      <h3>{t('receipt.sellerDetails')}</h3>
      <p>{t('receipt.sellerName')}</p>
      <p>{t('receipt.sellerDocument')}</p>
    </section>
  )
}

function Signatures({
  appraisal,
  terms,
  texts: { t },
}: {
  appraisal: AppraisalWire
  terms: string
  texts: PaperTexts
}) {
  if (!isBought(appraisal)) return null
  return (
    <section className="sheet-signatures" aria-label={t('receipt.signatures')}>
      {terms ? <p className="sheet-small">{terms}</p> : null}
      <p>
        <span>{t('receipt.seller')}</span>
      </p>
      <p>
        <span>{t('receipt.shop')}</span>
      </p>
    </section>
  )
}

function ReceiptCheck({ risk, texts: { t, codes, format } }: { risk: LookupResultWire; texts: PaperTexts }) {
  const cleared = risk.cleared_by.map(({ list, source, area }) => [list ?? source, area].filter(Boolean).join(', '))
  const findings = risk.risk_factors.filter(({ code, points }) => code !== 'baseline' && points > 0)
  return (
    <>
      <Fact name={t('receipt.blacklist')}>
        <strong>{codes.blacklist(risk.blacklist_status)}</strong>
      </Fact>
      <Fact name={t('receipt.findings')}>
        {findings.length === 0 ? t('receipt.noFindings') : findings.map(codes.riskFactor).join(' ')}
      </Fact>
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
