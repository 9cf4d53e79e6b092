"""In place of Airflow: as much of it as the recipe uses."""
tasks = []

def dag(*, schedule, start_date, catchup):
    return lambda build: build

def task(*, retries, retry_delay, execution_timeout):
    def keep(function):
        class Task:
            def expand(self, **mapped):
                tasks.append((function, retries, mapped["order"]))
        return Task()
    return keep
