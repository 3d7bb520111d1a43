/** The category of a device by its form factor or its name. */

/** For Android devices whose category no list states. */
export const UNKNOWN_CATEGORY = 'Android Device'

const NAME_RULES: readonly { readonly category: string; readonly when: RegExp }[] = [
  { category: 'Laptop', when: /chromebook|\bnotebook\b|\blaptop\b|thinkpad|ideapad/i },
  {
    category: 'TV',
    when: /(?:^|[\s_-])(?:mi|android |google )?tv(?:$|[\s_-])|tv ?box|set[- ]top|\bstb\b|bravia|projector|mibox/i,
  },
  { category: 'Smartwatch', when: /\bwatch\b|smartwatch/i },
  { category: 'Tablet', when: /\b(?:tab|tablet|\w*pad)\b|\btab ?[a-z]?\d/i },
  {
    category: 'Smartphone',
    when: /phone\b|^galaxy (?:[ajmsz]\d|[aefjms] |note|z |ace|young|xcover)|^xperia \S+(?! tablet)|^pixel (?:\d|xl|fold)|^(?:redmi|poco|iqoo|oneplus) |^moto [a-z]\b|^one \(|^desire |^reno ?\d|^blade |^nova \d|^mate \d|^spark |^camon |^honor \d/i,
  },
]

/** By name alone; always marked as inferred, so that any list with a category replaces it. */
export function categoryFromName(name: string): string {
  return NAME_RULES.find((rule) => rule.when.test(name))?.category ?? UNKNOWN_CATEGORY
}

const FORM_FACTORS: Readonly<Record<string, string>> = {
  phone: 'Smartphone',
  tablet: 'Tablet',
  tv: 'TV',
  wearable: 'Smartwatch',
  chromebook: 'Laptop',
  automotive: 'Car Display',
}

export function categoryFromFormFactor(formFactor: string): string | undefined {
  return FORM_FACTORS[formFactor.trim().toLowerCase()]
}
