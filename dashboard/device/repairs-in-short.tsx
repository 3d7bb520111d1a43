import { Link } from 'wouter'
import type { CommonRepairWire, RepairWire } from '../../src/contract/repair.ts'
import { useAnswer } from '../answers.ts'
import { Card, Empty, Shown } from '../parts/basics.tsx'
import { roundMoney } from '../words.ts'

const SHOWN = 5

/** What usually breaks and what mending it costs, parts and work together. */
export function RepairsInShort({ deviceId }: { deviceId: string }) {
  const asked = useAnswer<RepairWire>(`/account/explore/repairs?device_id=${encodeURIComponent(deviceId)}`)
  return (
    <Card title="Repairs" action={<Link to={`/dashboard/devices/${deviceId}/repairs`}>All about repairs</Link>}>
      <Shown asked={asked} lines={5}>
        {(repair) =>
          repair.common_repairs.length === 0 ? (
            <Empty title="No repair is known for this device" />
          ) : (
            <>
              <ul className="plain-list">
                {repair.common_repairs.slice(0, SHOWN).map((one) => (
                  <li key={one.name}>
                    <span>{one.name}</span>
                    <span className="soft">{costOf(one)}</span>
                  </li>
                ))}
              </ul>
              <p className="note">
                Parts and work together.
                {repair.repairsite_score === null ? '' : ` Repairability ${repair.repairsite_score} of 10.`}
              </p>
            </>
          )
        }
      </Shown>
    </Card>
  )
}

/** From the cheapest part with the shortest work to the dearest with the longest; unknown where either is. */
function costOf({ parts, labour_min: least, labour_max: most }: CommonRepairWire): string {
  const lows = parts.flatMap(({ cost_min: cents }) => (cents === null ? [] : [cents]))
  const highs = parts.flatMap(({ cost_max: cents }) => (cents === null ? [] : [cents]))
  if (lows.length === 0 || highs.length === 0 || least === null || most === null) return 'cost unknown'
  return `${roundMoney(Math.min(...lows) + least)} – ${roundMoney(Math.max(...highs) + most)}`
}
