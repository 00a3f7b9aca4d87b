"""The text that Prometheus reads."""

from __future__ import annotations

import threading

from liuying.kit.metrics import Counter, Family, Histogram, document, sampled


def test_a_counter_counts_by_labels_and_escapes_them() -> None:
    counter = Counter(Family("x_total", "counter", "What\nis \\ counted.", ("route",)))
    counter.add("api")
    counter.add("api", amount=2)
    counter.add('a"b\\c\nd')
    assert list(counter.lines({("kept",): 7})) == [
        "# HELP x_total What\\nis \\\\ counted.",
        "# TYPE x_total counter",
        'x_total{route="api"} 3',
        'x_total{route="a\\"b\\\\c\\nd"} 1',
        'x_total{route="kept"} 7',
    ]


def test_a_histogram_sums_from_below() -> None:
    histogram = Histogram(Family("x_seconds", "histogram", "Time."), (0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 3):
        histogram.observe(value)
    assert list(histogram.lines())[2:] == [
        'x_seconds_bucket{le="0.1"} 2',
        'x_seconds_bucket{le="1"} 3',
        'x_seconds_bucket{le="+Inf"} 4',
        "x_seconds_sum 3.65",
        "x_seconds_count 4",
    ]


def test_threads_lose_nothing() -> None:
    counter = Counter(Family("x_total", "counter", "x"))
    histogram = Histogram(Family("x_seconds", "histogram", "x"), (1.0,))

    def count() -> None:
        for _ in range(2000):
            counter.add()
            histogram.observe(0.5)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(counter.lines())[-1] == "x_total 8000"
    assert list(histogram.lines())[-1] == "x_seconds_count 8000"


def test_a_document_ends_with_a_line_end() -> None:
    text = document(
        [
            sampled(Family("up", "gauge", "Up."), {(): 1}),
            sampled(Family("b", "gauge", "B."), {(): 0.25}),
        ]
    )
    assert text == "# HELP up Up.\n# TYPE up gauge\nup 1\n# HELP b B.\n# TYPE b gauge\nb 0.25\n"
