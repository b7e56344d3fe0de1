// Makes elements of the page: buttons, sliders, sections that fold.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: Child[]):
  HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Returns an element of index.html.
export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

// Makes a section of the panel that folds.
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return element('details', {open}, element('summary', {}, title), ...children);
}

export interface Slider {
  readonly row: HTMLElement;
  readonly input: HTMLInputElement;
  set(value: number): void;
}

export interface SliderOptions {
  readonly id: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly text: (value: number) => string;
  // Called while the handle moves.
  readonly onInput?: (value: number) => void;
  // Called when the handle is let go.
  readonly onChange?: (value: number) => void;
}

export function slider(options: SliderOptions): Slider {
  const {id, label, min, max, step, text} = options;
  const output = element('output');
  const input = element('input', {
    id, type: 'range', min: String(min), max: String(max), step: String(step),
  });
  output.htmlFor.add(id);
  const show = (): void => {
    output.textContent = text(input.valueAsNumber);
    input.setAttribute('aria-valuetext', output.textContent);
  };
  input.addEventListener('input', () => { show(); options.onInput?.(input.valueAsNumber); });
  input.addEventListener('change', () => options.onChange?.(input.valueAsNumber));
  const row = element('div', {className: 'slider'},
    element('label', {htmlFor: id}, label), output, input);
  return {row, input, set: (value) => { input.valueAsNumber = value; show(); }};
}

export function button(
  label: string, title: string, onClick: () => void, id = ''): HTMLButtonElement {
  const made = element('button', {type: 'button', title, id}, label);
  made.addEventListener('click', onClick);
  return made;
}
