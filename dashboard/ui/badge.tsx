import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'blue' | 'violet' | 'accent'

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

const TIER_TONES = { public: 'accent', paid: 'warn', enterprise: 'violet' } as const

export function TierBadge({ tier }: { tier: keyof typeof TIER_TONES }) {
  return <Badge tone={TIER_TONES[tier]}>{tier}</Badge>
}
