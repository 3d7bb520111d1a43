import type { DefectCode } from '../contract/defects.ts'
import type { Defect, DeviceKind } from '../contract/device-kinds.ts'

/** What a customer is asked about a device; the wording of `body` depends on the kind. */
const QUESTION_TOPICS = ['power', 'screen', 'body', 'works', 'complete', 'account'] as const
export type QuestionTopic = (typeof QUESTION_TOPICS)[number]

export type Question = {
  readonly topic: QuestionTopic
  /** Faults that a "no" may mean. With one alone the "no" says enough. */
  readonly defects: readonly DefectCode[]
  /** Whether its back is asked about, or its housing. */
  readonly isBack: boolean
}

const MAX_QUESTIONS = 5

const TOPIC_OF: Readonly<Partial<Record<DefectCode, QuestionTopic>>> = {
  no_power: 'power',
  water_damage: 'power',
  cracked_screen: 'screen',
  cracked_back: 'body',
  hinge: 'body',
  lens: 'body',
  ear_cushions: 'body',
  missing_accessories: 'complete',
  missing_earbud: 'complete',
  activation_locked: 'account',
}

/** Kinds that are sold without their box: whether it is complete is not asked. */
const WITH_BACK: readonly (DeviceKind | null)[] = ['phone', 'foldable', 'tablet', 'e_reader', 'media_player', 'watch']

/** At most five questions, in the order in which they are asked, that cover the faults a device can have. */
export function questionsFor(kind: DeviceKind | null, defects: readonly Pick<Defect, 'code'>[]): readonly Question[] {
  const byTopic = Map.groupBy(defects, ({ code }) => TOPIC_OF[code] ?? 'works')
  const questions = QUESTION_TOPICS.flatMap((topic) => {
    const codes = (byTopic.get(topic) ?? []).map(({ code }) => code)
    return codes.length === 0 ? [] : [{ topic, defects: codes, isBack: WITH_BACK.includes(kind) }]
  })
  // Phones have one topic more: their accessories matter least.
  return questions.length > MAX_QUESTIONS ? questions.filter(({ topic }) => topic !== 'complete') : questions
}

/** The faults of the answers; null if a "no" names none of several. */
export function statedDefects(
  questions: readonly Question[],
  answers: { readonly isYes: (topic: QuestionTopic) => boolean | null; readonly ticked: ReadonlySet<string> },
): { readonly defects: readonly DefectCode[]; readonly open: readonly QuestionTopic[] } {
  const defects: DefectCode[] = []
  const open: QuestionTopic[] = []
  for (const { topic, defects: possible } of questions) {
    const answer = answers.isYes(topic)
    if (answer === null) open.push(topic)
    if (answer !== false) continue
    const stated = possible.filter((code) => answers.ticked.has(code))
    const [first] = possible
    if (stated.length > 0) defects.push(...stated)
    // The first of these is what the question asks: it does not turn on, the screen is broken.
    else if (first && (possible.length === 1 || topic !== 'works')) defects.push(first)
    else open.push(topic)
  }
  return { defects, open }
}
