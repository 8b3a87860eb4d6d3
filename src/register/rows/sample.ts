/** Opens an evenly spread sample. Whenever it has `most` items, every second one is dropped. Each stands for `weight` items. */
export function openSample<One>(most: number) {
  let kept: One[] = [];
  let [count, step] = [0, 1];
  return {
    add(makeOne: () => One): void {
      if (count++ % step !== 0) return;
      kept.push(makeOne());
      if (kept.length < most) return;
      kept = kept.filter((_, i) => i % 2 === 0);
      step *= 2;
    },
    count: () => count,
    weight: () => count / kept.length,
    list: (): readonly One[] => kept,
  };
}
