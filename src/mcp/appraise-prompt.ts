import { z } from 'zod'

/** Prompt that starts an appraisal in dialogue. */
export const appraisePrompt = {
  name: 'appraise_what_i_have',
  title: 'Appraise what I have',
  description: 'Identifies a device in hand, asks for missing facts, and recommends an offer.',
  args: z.object({
    device: z.string().describe('What it is, in your own words: "iphone 13 128 blue, cracked back".'),
    identifier: z.string().optional().describe('IMEI or serial number, if you have it.'),
  }),
  toText({ device, identifier }: { readonly device: string; readonly identifier?: string | undefined }): string {
    return [
      `I have this device: ${device}`,
      identifier ? `Its identifier is ${identifier}.` : 'I have not looked up its IMEI or serial number.',
      '',
      'Appraise it for me:',
      '1. Find out what it is with match_device. If the result is ambiguous, or storage or another attribute that affects the price is missing, ask me before you continue.',
      '2. Determine the condition with me. Read the resource grades and ask what distinguishes the grades; read the resource defects and ask which of them it has. Do not assume a better grade than I described.',
      '3. If I gave an identifier, check it with check_identifier first. If the number was probably mistyped, ask me for it again. If the tool is unavailable to this key, say so and continue without it.',
      '4. Call appraise_device with all known facts.',
      '5. Tell me the decision, the recommended and the highest offer in whole units of the currency, the reasons with the largest effect on the amount, and what is uncertain: the source of the prices, their confidence, and whether anything is simulated.',
      '',
      'Never say that a device is clean unless a source cleared it, and never take an id or an amount from memory.',
    ].join('\n')
  },
}
