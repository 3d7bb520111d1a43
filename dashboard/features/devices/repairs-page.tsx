import type { CommonRepairWire, RepairWire } from '../../../src/contract/repair.ts'
import { formatTime, humanize } from '../../format.ts'
import { type Money, useMoney } from '../../money.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { DeviceBreadcrumbs } from './device-page.tsx'

const ROI: Readonly<Record<RepairWire['repair_roi_indicator'], { tone: Tone; text: string }>> = {
  high: { tone: 'good', text: 'Repair returns more than twice its cost.' },
  medium: { tone: 'good', text: 'Repair returns clearly more than its cost.' },
  low: { tone: 'warn', text: 'Repair about breaks even.' },
  negative: { tone: 'bad', text: 'Repair costs more than it returns.' },
  unknown: { tone: 'plain', text: 'Not enough price or cost data.' },
}

const AVAILABILITY: Readonly<Record<string, Tone>> = { in_stock: 'good', limited: 'warn', backorder: 'warn' }

export function RepairsPage({ id }: { id: string }) {
  const money = useMoney()
  const path = `repairs?device_id=${encodeURIComponent(id)}&currency=${money.currency}`
  const query = useApiQuery<RepairWire>(`/account/explore/${path}`)
  return (
    <QueryView query={query} skeletonLines={8} title="Repairs">
      {(repair, { rawBody: text }) => (
        <>
          <DeviceBreadcrumbs device={{ id, name: repair.device_name }} here="Repairs" />
          <PageHeader
            title={`${repair.device_name}: repairs`}
            lead="Common faults, repair costs and return on repair."
          />
          <dl className="figures">
            <div>
              <dt>Repairability</dt>
              <dd>
                {repair.repairsite_score === null ? '–' : `${repair.repairsite_score} / 10`}{' '}
                <span className="muted">{humanize(repair.repairability_rating)}</span>
              </dd>
            </div>
            <div>
              <dt>Average repair (parts and labour)</dt>
              <dd>
                {repair.average_repair_cost
                  ? `${money.formatWhole(repair.average_repair_cost.min)} – ${money.formatWhole(repair.average_repair_cost.max)}`
                  : 'unknown'}
              </dd>
            </div>
            <div>
              <dt>Return on repair</dt>
              <dd>
                <Badge tone={ROI[repair.repair_roi_indicator].tone}>{repair.repair_roi_indicator}</Badge>{' '}
                <span className="muted">{ROI[repair.repair_roi_indicator].text}</span>
              </dd>
            </div>
            <div>
              <dt>Data completeness</dt>
              <dd>{repair.data_completeness} %</dd>
            </div>
          </dl>
          <Card title="Common repairs">
            {repair.common_repairs.length === 0 ? (
              <EmptyState title="No repair data for this device" />
            ) : (
              <ul className="repairs">
                {repair.common_repairs.map((one) => (
                  <Repair key={one.name} repair={one} money={money} />
                ))}
              </ul>
            )}
          </Card>
          <div className="columns">
            <Words title="Common failures, most frequent first" words={repair.common_failure_points} ordered />
            <Words title="Paired or proprietary parts" words={repair.proprietary_parts} />
            <Words title="Special tools" words={repair.special_tools_required} />
            <Words title="Notes" words={repair.technical_notes} />
          </div>
          <p className="muted">Last updated: {formatTime(repair.last_updated)}</p>
          <ApiCallPanel path={path} answer={text} />
        </>
      )}
    </QueryView>
  )
}

function Repair({ repair, money }: { repair: CommonRepairWire; money: Money }) {
  return (
    <li>
      <div className="repair-head">
        <h3>{repair.name}</h3>
        <span className="muted">
          {repair.difficulty ? humanize(repair.difficulty) : 'difficulty unknown'} ·{' '}
          {repair.estimated_time_minutes ? `about ${repair.estimated_time_minutes} minutes` : 'time unknown'}
          {repair.repairsite_guide_url ? (
            <>
              {' · '}
              <a href={repair.repairsite_guide_url} rel="noreferrer noopener">
                guide
              </a>
            </>
          ) : null}
        </span>
      </div>
      <ul className="parts">
        {repair.parts.map((part) => (
          <li key={part.name}>
            <span>{part.name}</span>
            <span>
              {part.cost_min === null
                ? 'cost unknown'
                : `${money.format(part.cost_min)} – ${money.format(part.cost_max)}`}
            </span>
            <Badge tone={AVAILABILITY[part.availability] ?? 'plain'}>{humanize(part.availability)}</Badge>
          </li>
        ))}
        <li>
          <span>Labour</span>
          <span>
            {repair.labour_min === null
              ? 'time unknown'
              : `${money.format(repair.labour_min)} – ${money.format(repair.labour_max)}`}
          </span>
        </li>
      </ul>
    </li>
  )
}

function Words({ title, words, ordered = false }: { title: string; words: readonly string[]; ordered?: boolean }) {
  const items = words.map((word) => <li key={word}>{word}</li>)
  return (
    <Card title={title}>
      {words.length === 0 ? <p className="muted">No data.</p> : ordered ? <ol>{items}</ol> : <ul>{items}</ul>}
    </Card>
  )
}
