import type { CommonRepairWire, RepairWire } from '../../../src/contract/repair.ts'
import { formatDollars, formatTime, formatWholeDollars, humanize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge, Card, EmptyState, PageHeader, QueryView, type Tone } from '../../ui/basics.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { DeviceBreadcrumbs } from './device-page.tsx'

const ROI: Readonly<Record<RepairWire['repair_roi_indicator'], { tone: Tone; text: string }>> = {
  high: { tone: 'good', text: 'Mending more than doubles the money put in.' },
  medium: { tone: 'good', text: 'Mending brings back clearly more than it costs.' },
  low: { tone: 'warn', text: 'Mending about pays for itself.' },
  negative: { tone: 'bad', text: 'Mending costs more than it brings.' },
  unknown: { tone: 'plain', text: 'Prices or costs are missing.' },
}

const AVAILABILITY: Readonly<Record<string, Tone>> = { in_stock: 'good', limited: 'warn', backorder: 'warn' }

export function RepairsPage({ id }: { id: string }) {
  const path = `repairs?device_id=${encodeURIComponent(id)}`
  const asked = useApiQuery<RepairWire>(`/account/explore/${path}`)
  return (
    <QueryView asked={asked} lines={8} title="Repairs">
      {(repair, { rawBody: text }) => (
        <>
          <DeviceBreadcrumbs device={{ id, name: repair.device_name }} here="Repairs" />
          <PageHeader
            title={`${repair.device_name}: repairs`}
            lead="What breaks, what it costs to mend, and whether it pays."
          />
          <dl className="figures">
            <div>
              <dt>Repairability</dt>
              <dd>
                {repair.repairsite_score === null ? '–' : `${repair.repairsite_score} / 10`}{' '}
                <span className="soft">{humanize(repair.repairability_rating)}</span>
              </dd>
            </div>
            <div>
              <dt>Usual repair, parts and labour</dt>
              <dd>
                {repair.average_repair_cost
                  ? `${formatWholeDollars(repair.average_repair_cost.min)} – ${formatWholeDollars(repair.average_repair_cost.max)}`
                  : 'unknown'}
              </dd>
            </div>
            <div>
              <dt>Does it pay?</dt>
              <dd>
                <Badge tone={ROI[repair.repair_roi_indicator].tone}>{repair.repair_roi_indicator}</Badge>{' '}
                <span className="soft">{ROI[repair.repair_roi_indicator].text}</span>
              </dd>
            </div>
            <div>
              <dt>What is known</dt>
              <dd>{repair.data_completeness} %</dd>
            </div>
          </dl>
          <Card title="Common repairs">
            {repair.common_repairs.length === 0 ? (
              <EmptyState title="No repair is known for this device" />
            ) : (
              <ul className="repairs">
                {repair.common_repairs.map((one) => (
                  <Repair key={one.name} repair={one} />
                ))}
              </ul>
            )}
          </Card>
          <div className="columns">
            <Words title="What fails, most frequent first" words={repair.common_failure_points} ordered />
            <Words title="Paired or proprietary parts" words={repair.proprietary_parts} />
            <Words title="Special tools" words={repair.special_tools_required} />
            <Words title="Notes" words={repair.technical_notes} />
          </div>
          <p className="soft">Newest fact: {formatTime(repair.last_updated)}</p>
          <ApiCallPanel path={path} answer={text} />
        </>
      )}
    </QueryView>
  )
}

function Repair({ repair }: { repair: CommonRepairWire }) {
  return (
    <li>
      <div className="repair-head">
        <h3>{repair.name}</h3>
        <span className="soft">
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
                : `${formatDollars(part.cost_min)} – ${formatDollars(part.cost_max)}`}
            </span>
            <Badge tone={AVAILABILITY[part.availability] ?? 'plain'}>{humanize(part.availability)}</Badge>
          </li>
        ))}
        <li>
          <span>Labour</span>
          <span>
            {repair.labour_min === null
              ? 'time unknown'
              : `${formatDollars(repair.labour_min)} – ${formatDollars(repair.labour_max)}`}
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
      {words.length === 0 ? <p className="soft">Nothing known.</p> : ordered ? <ol>{items}</ol> : <ul>{items}</ul>}
    </Card>
  )
}
