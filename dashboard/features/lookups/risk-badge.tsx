import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { humanize } from '../../format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const RISK_LEVEL_TONES: Readonly<Record<LookupResultWire['risk_level'], Tone>> = {
  low: 'good',
  medium: 'warn',
  high: 'bad',
  critical: 'bad',
}

type Assessed = Pick<
  LookupResultWire,
  'risk_level' | 'risk_score' | 'recommendation' | 'blacklist_status' | 'reported_lost_stolen'
>

/** Both IMEIs of a dual-SIM phone. */
export const identifiersOf = ({
  identifier,
  second_identifier: second,
}: Pick<LookupResultWire, 'identifier' | 'second_identifier'>) => [identifier, second].filter(Boolean).join(' / ')

/** Whether the identifier is probably mistyped: the score is then not about the device in hand. */
export const isProbableTypo = (lookup: Assessed) =>
  lookup.recommendation === 'recheck_identifier' &&
  lookup.blacklist_status !== 'blacklisted' &&
  !lookup.reported_lost_stolen

/** Whether no list or source said anything about the device: the score is then the risk of not knowing, and not shown. */
export const isUnchecked = (lookup: Assessed) =>
  lookup.blacklist_status === 'unknown' &&
  !lookup.reported_lost_stolen &&
  !isProbableTypo(lookup) &&
  (lookup.risk_level === 'low' || lookup.risk_level === 'medium')

export const riskTone = (lookup: Assessed): Tone =>
  isProbableTypo(lookup) ? 'warn' : RISK_LEVEL_TONES[lookup.risk_level]

/** Nothing is known where no source was asked or answered. */
export function statusText(status: string): string {
  const isKnown = i18next.exists(`status.${status}`, { ns: 'lookups' })
  return isKnown ? i18next.t(`status.${status}` as 'status.unknown', { ns: 'lookups' }) : humanize(status)
}

/** Risk of a lookup in a table: score and level, that nothing was checked, or that the number is to be checked. */
export function RiskBadge({ lookup }: { lookup: Assessed }) {
  const { t } = useTranslation('lookups')
  const level = t(`badge.${lookup.risk_level}`, { score: lookup.risk_score })
  // Without a check there is no score: it would be the risk of not knowing.
  if (isUnchecked(lookup)) return <Badge tone="plain">{statusText('unknown')}</Badge>
  return <Badge tone={riskTone(lookup)}>{isProbableTypo(lookup) ? t('badge.checkNumber') : level}</Badge>
}
